package pgxstore

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// benchRows is the size of a busy relay's batches.
const benchRows = 1000

// BenchmarkClaimDecode measures a claim of 1000 rows without the network.
func BenchmarkClaimDecode(b *testing.B) {
	answer := claimAnswer(benchRows)
	var keep spare
	b.ReportAllocs()
	for b.Loop() {
		c := keep.take()
		answer.next = 0
		if err := c.read(answer, false); err != nil {
			b.Fatal(err)
		}
		if rows := c.inOrder(); len(rows) != benchRows {
			b.Fatal(len(rows))
		}
		keep.giveBack(c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
}

// BenchmarkSettleEncode measures a settle of 1000 deliveries and its answer,
// without the network.
func BenchmarkSettleEncode(b *testing.B) {
	outcomes := make([]driver.Outcome, benchRows)
	for i := range outcomes {
		outcomes[i] = driver.Outcome{Kind: driver.Done, Held: driver.Held{EventID: outbox.NewID(), Seq: int64(1_000_000 + i), ClaimNo: 1}, Token: locator(uint32(i/10), uint16(i%10+1))}
	}
	types, e := pgtype.NewMap(), encoderFor(pgx.QueryExecModeCacheStatement)
	done := &pgconn.StatementDescription{ParamOIDs: []uint32{pgtype.TextArrayOID, pgtype.Int8ArrayOID, pgtype.Int8ArrayOID, pgtype.TextOID, pgtype.TIDArrayOID}}
	answer := doneAnswer(outcomes)
	var built pgx.ExtendedQueryBuilder
	b.ReportAllocs()
	for b.Loop() {
		sent, err := sortOut(outcomes)
		if err != nil {
			b.Fatal(err)
		}
		args := []any{e.texts(sent.done.ids), e.numbers(sent.done.seqs), e.numbers(sent.done.numbers), "relay", places(sent.places)}
		if err := built.Build(types, done, args); err != nil {
			b.Fatal(err)
		}
		ended := newAnswer(len(outcomes))
		answer.next = 0
		if err := ended.read(answer); err != nil {
			b.Fatal(err)
		}
		if stale := sent.stale(&ended); stale != nil {
			b.Fatal(stale)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
}

// wire is an answer as it comes from the server, in the binary format.
type wire struct {
	pgx.Rows // for what is not used
	fields   []pgconn.FieldDescription
	rows     [][][]byte
	types    *pgtype.Map
	next     int
}

func (w *wire) Next() bool                                   { w.next++; return w.next <= len(w.rows) }
func (w *wire) RawValues() [][]byte                          { return w.rows[w.next-1] }
func (w *wire) FieldDescriptions() []pgconn.FieldDescription { return w.fields }
func (w *wire) TypeMap() *pgtype.Map                         { return w.types }
func (w *wire) Err() error                                   { return nil }

func newWire(columns int) *wire {
	w := &wire{types: pgtype.NewMap(), fields: make([]pgconn.FieldDescription, columns)}
	for i := range w.fields {
		w.fields[i].Format = pgtype.BinaryFormatCode
	}
	return w
}

func claimAnswer(n int) *wire {
	w := newWire(18)
	start := time.Now()
	for i := range n {
		at := micro(start.Add(time.Duration(i) * time.Microsecond))
		w.rows = append(w.rows, [][]byte{
			[]byte(outbox.NewID()), eight(int64(i)), eight(1), []byte("OrderPlaced"), []byte("Order"),
			fmt.Appendf(nil, "order-%d", i), nil, nil, nil, []byte(`{"n":"` + strings.Repeat("x", 192) + `"}`), nil, nil,
			{0, 0, 0, 0}, {0, 0, 0, 0}, at, at, at, nil,
		})
	}
	return w
}

func doneAnswer(outcomes []driver.Outcome) *wire {
	w := newWire(3)
	for _, o := range outcomes {
		w.rows = append(w.rows, [][]byte{[]byte(o.EventID), eight(o.Seq), eight(o.ClaimNo)})
	}
	return w
}

func eight(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

func micro(t time.Time) []byte { return eight(t.UnixMicro() - epoch*1_000_000) }
