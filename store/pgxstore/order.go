package pgxstore

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/sendoff-go/outbox/driver"
)

// claim is the buffer into which an answer is read before it is sorted. A
// claimed row is large, so rows are collected here and moved once.
type claim struct {
	reader reader
	rows   []driver.Claimed
	order  []int32
}

// spare keeps the buffer for the next claim: a relay makes one at a time, and
// the garbage collector would empty a sync.Pool between claims.
type spare struct{ atomic.Pointer[claim] }

func (s *spare) take() *claim {
	if c := s.Swap(nil); c != nil {
		return c
	}
	return new(claim)
}

// maxKept bounds the rows for which the buffer is kept, 1.5 MB of it.
const maxKept = 4096

// giveBack clears the buffer and keeps it.
func (s *spare) giveBack(c *claim) {
	if cap(c.rows) <= maxKept {
		c.clear()
		s.Store(c)
	}
}

func (c *claim) clear() {
	clear(c.rows)
	c.rows = c.rows[:0]
}

// inOrder returns a copy of the rows by lane, time and seq: a database promises
// no order of the rows that an UPDATE returns.
func (c *claim) inOrder() []driver.Claimed {
	if len(c.rows) == 0 {
		return nil
	}
	out := make([]driver.Claimed, len(c.rows))
	sorted := true
	c.order = c.order[:0]
	for i := range c.rows {
		c.order = append(c.order, int32(i))
		sorted = sorted && (i == 0 || compare(&c.rows[i-1], &c.rows[i]) <= 0)
	}
	if sorted {
		copy(out, c.rows)
		return out
	}
	slices.SortFunc(c.order, func(a, b int32) int { return compare(&c.rows[a], &c.rows[b]) })
	for to, from := range c.order {
		out[to] = c.rows[from]
	}
	return out
}

func compare(a, b *driver.Claimed) int {
	if a.Event.Type != b.Event.Type {
		return cmp.Compare(a.Event.Type, b.Event.Type)
	}
	if c := a.Position.AvailableAt.Compare(b.Position.AvailableAt); c != 0 {
		return c
	}
	return cmp.Compare(a.Seq, b.Seq)
}
