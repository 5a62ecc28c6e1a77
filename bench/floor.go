package main

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/pgstore"
)

// floorConns is how many connections the floor has, as a relay has one that
// claims and one that settles.
const floorConns = 2

// drainFloor measures the store's own statements through bare pgx: claim a
// batch, count it, settle it, and again, on two connections side by side.
// Whatever a relay does beyond that has a cost, and this shows how much.
func drainFloor(keep bool) func(batch int) runFunc {
	return func(batch int) runFunc {
		return func(ctx context.Context, e *env) (sample, error) { return e.drainFloor(ctx, batch, keep) }
	}
}

func (e *env) drainFloor(ctx context.Context, batch int, keep bool) (sample, error) {
	n := e.events(drainEvents)
	if err := e.fresh(ctx, n); err != nil {
		return sample{}, err
	}
	queries, err := pgstore.Resolve(pgstore.Tables{})
	if err != nil {
		return sample{}, err
	}
	f := &floor{claim: queries.ClaimPlaced.SQL, done: queries.DoneDeletePlaced.SQL, batch: batch, events: newLedger(n)}
	if keep {
		f.done = queries.DonePlaced.SQL
	}
	before := e.cpu.now()
	took, err := f.run(ctx, e.url)
	if err != nil {
		return sample{}, err
	}
	s := drained(f.events, took, &logCount{})
	e.cpu.since(before, &s, n)
	return s, e.settled(ctx, defaultSchema)
}

type floor struct {
	claim, done string
	batch       int
	events      *ledger

	mu sync.Mutex
	at place // where the lane was read up to, by either connection
}

// place is what a claim starts after.
type place struct {
	at  pgtype.Timestamptz
	seq int64
}

func head() place {
	return place{at: pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}}
}

func (f *floor) run(ctx context.Context, url string) (time.Duration, error) {
	f.at = head()
	var conns []*pgx.Conn
	for range floorConns {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return 0, err
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
		conns = append(conns, conn)
	}
	errs := make([]error, len(conns))
	var hands sync.WaitGroup
	start := time.Now()
	for i, conn := range conns {
		hands.Go(func() { errs[i] = f.work(ctx, conn) })
	}
	hands.Wait()
	return time.Since(start), errors.Join(errs...)
}

// work claims and settles until nothing is left, not even at the head.
func (f *floor) work(ctx context.Context, conn *pgx.Conn) error {
	owner := string(driver.NewOwner("floor"))
	var got claimed
	for {
		f.mu.Lock()
		from := f.at
		f.mu.Unlock()
		if err := got.read(ctx, conn, f.claim, f.batch, from, owner, f.events); err != nil {
			return err
		}
		if len(got.ids) == 0 {
			if from == head() {
				return nil
			}
			f.mu.Lock()
			f.at = head()
			f.mu.Unlock()
			continue
		}
		f.mu.Lock()
		if f.at == from { // the other connection has not read on
			f.at = got.last
		}
		f.mu.Unlock()
		if err := settleRaw(ctx, conn, f.done, &got, owner); err != nil {
			return err
		}
	}
}

func settleRaw(ctx context.Context, conn *pgx.Conn, sql string, got *claimed, owner string) error {
	rows, err := conn.Query(ctx, sql, got.ids, got.seqs, got.numbers, owner, got.places)
	if err != nil {
		return err
	}
	n := 0
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if n != len(got.ids) {
		return errors.New("the floor lost a claim")
	}
	return nil
}

// claimed is one batch, as the settle wants it.
type claimed struct {
	ids           []string
	seqs, numbers []int64
	places        []pgtype.TID
	last          place
}

// Columns of the claim's answer.
const (
	columnID, columnSeq, columnNumber = 0, 1, 2
	columnPayload, columnAvailable    = 9, 14
	columnPlace                       = 18
)

// lease is long enough for any batch here.
const lease = int64(15 * time.Second / time.Microsecond)

// read claims a batch. It decodes what the settle needs and the number of the
// event, and nothing else.
func (c *claimed) read(ctx context.Context, conn *pgx.Conn, sql string, batch int, from place, owner string, events *ledger) error {
	c.ids, c.seqs, c.numbers, c.places, c.last = c.ids[:0], c.seqs[:0], c.numbers[:0], c.places[:0], place{}
	rows, err := conn.Query(ctx, sql, []string{eventType}, []int32{int32(batch)}, []int64{0},
		[]pgtype.Timestamptz{from.at}, []int64{from.seq}, owner, lease)
	if err != nil {
		return err
	}
	var latest, latestSeq int64
	for rows.Next() {
		v := rows.RawValues()
		seq, at := int64(binary.BigEndian.Uint64(v[columnSeq])), int64(binary.BigEndian.Uint64(v[columnAvailable]))
		c.ids = append(c.ids, string(v[columnID]))
		c.seqs = append(c.seqs, seq)
		c.numbers = append(c.numbers, int64(binary.BigEndian.Uint64(v[columnNumber])))
		c.places = append(c.places, pgtype.TID{
			BlockNumber: binary.BigEndian.Uint32(v[columnPlace]), OffsetNumber: binary.BigEndian.Uint16(v[columnPlace][4:]), Valid: true,
		})
		events.got(number(v[columnPayload]))
		if at > latest || (at == latest && seq > latestSeq) {
			latest, latestSeq = at, seq
		}
	}
	if len(c.ids) > 0 {
		c.last = place{at: pgtype.Timestamptz{Time: fromWire(latest), Valid: true}, seq: latestSeq}
	}
	return rows.Err()
}

// fromWire is a time as PostgreSQL sends it: microseconds since 2000.
func fromWire(micros int64) time.Time {
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(micros) * time.Microsecond)
}
