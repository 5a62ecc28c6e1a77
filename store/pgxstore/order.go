package pgxstore

import (
	"cmp"
	"slices"
	"sync"

	"github.com/sendoff-go/outbox"
)

// claim is the room in which an answer is read before it is put in order. A
// claimed row is large, so rows are collected here and moved once.
type claim struct {
	reader reader
	rows   []outbox.Claimed
	order  []int32
}

var claims = sync.Pool{New: func() any { return new(claim) }}

// maxKept bounds what waits for the next claim.
const maxKept = 4096

// done forgets what was read and keeps the room.
func (c *claim) done() {
	if cap(c.rows) > maxKept {
		return
	}
	clear(c.rows)
	c.rows = c.rows[:0]
	claims.Put(c)
}

// inOrder is a copy of the rows by lane, time and seq: a database promises no
// order of the rows that an UPDATE returns.
func (c *claim) inOrder() []outbox.Claimed {
	if len(c.rows) == 0 {
		return nil
	}
	c.order = c.order[:0]
	for i := range c.rows {
		c.order = append(c.order, int32(i))
	}
	slices.SortFunc(c.order, func(a, b int32) int { return compare(&c.rows[a], &c.rows[b]) })
	out := make([]outbox.Claimed, len(c.rows))
	for to, from := range c.order {
		out[to] = c.rows[from]
	}
	return out
}

func compare(a, b *outbox.Claimed) int {
	return cmp.Or(cmp.Compare(a.Event.Type, b.Event.Type),
		a.Position.AvailableAt.Compare(b.Position.AvailableAt), cmp.Compare(a.Seq, b.Seq))
}
