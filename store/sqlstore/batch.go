package sqlstore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// Batch is the input of a statement about many rows, column by column, all of
// one length. A value is a string, an int64, a []byte, a time.Time or nil.
type Batch [][]any

// Rows is the number of rows.
func (b Batch) Rows() int {
	if len(b) == 0 {
		return 0
	}
	return len(b[0])
}

func newBatch(columns, rows int) Batch {
	values := make([]any, columns*rows)
	b := make(Batch, columns)
	for i := range b {
		b[i] = values[i*rows : i*rows : (i+1)*rows]
	}
	return b
}

// add appends one row. Values beyond the batch's columns are left out.
func (b Batch) add(values ...any) {
	for i := range b {
		b[i] = append(b[i], values[i])
	}
}

// slice returns some of the rows.
func (b Batch) slice(from, to int) Batch {
	some := make(Batch, len(b))
	for i, column := range b {
		some[i] = column[from:to]
	}
	return some
}

// without leaves out the rows whose first value is listed.
func (b Batch) without(gone func(first any) bool) Batch {
	rest := newBatch(len(b), b.Rows())
	for i, first := range b[0] {
		if !gone(first) {
			for j, column := range b {
				rest[j] = append(rest[j], column[i])
			}
		}
	}
	return rest
}

// BindJSON encodes a batch as one JSON text, an array of rows, each an array:
// for databases that read JSON as a table.
func BindJSON(b Batch) ([]any, error) {
	rows := make([][]any, b.Rows())
	for i := range rows {
		row := make([]any, len(b))
		for j, column := range b {
			row[j] = column[i]
		}
		rows[i] = row
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return nil, fmt.Errorf("encode a batch as JSON: %w", err)
	}
	return []any{string(text)}, nil
}

// heldBatch has event ids, seqs and claim numbers, in the order of seq: locking
// in one order avoids deadlock.
func heldBatch(rows []driver.Held) Batch {
	b := newBatch(3, len(rows))
	for _, h := range slices.SortedFunc(slices.Values(rows), bySeq) {
		b.add(h.EventID, h.Seq, h.ClaimNo)
	}
	return b
}

func bySeq(a, b driver.Held) int { return cmp.Compare(a.Seq, b.Seq) }

// textOrNull stores an empty string as NULL.
func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

// earlier is what a time is compared with that has to be earlier than t. Databases
// keep microseconds: rounded down, it would leave out the one that t is in.
func earlier(t time.Time) any {
	if up := stored.DueAt(t, time.Microsecond); up.UTC().Year() <= stored.EndOfTime.Year() {
		t = up
	}
	return timeOrNull(t)
}

// micros rounds a duration up to what the database can keep.
func (d *Dialect) micros(t time.Duration) int64 { return stored.Micros(t, d.Resolution) }

// age rounds a duration down: what became due that long ago must not be left out.
func (d *Dialect) age(t time.Duration) int64 { return t.Truncate(d.Resolution).Microseconds() }
