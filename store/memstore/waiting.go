package memstore

import (
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// waiting has the pending rows of each lane, in the order of their positions, as
// an index has them: a claim that looked at every row would make a large backlog
// slow to drain.
type waiting map[string][]*row

func (w waiting) add(r *row) {
	rows := w[r.event.Type]
	w[r.event.Type] = slices.Insert(rows, after(rows, r.position()), r)
}

// remove does nothing if the row is not there. It finds the row by its position,
// which must not have changed since add.
func (w waiting) remove(r *row) {
	rows := w[r.event.Type]
	i := after(rows, r.position()) - 1
	if i < 0 || rows[i] != r {
		return
	}
	if i < len(rows)/2 { // mostly the first ones go, and the others need not move
		copy(rows[1:], rows[:i])
		rows[0] = nil
		rows = rows[1:]
	} else {
		rows = slices.Delete(rows, i, i+1)
	}
	if w[r.event.Type] = rows; len(rows) == 0 {
		delete(w, r.event.Type)
	}
}

// after returns how many of the rows are at this position or before it.
func after(rows []*row, p driver.Position) int {
	i, _ := slices.BinarySearchFunc(rows, p, func(r *row, p driver.Position) int {
		if comparePositions(r.position(), p) <= 0 {
			return -1
		}
		return 1
	})
	return i
}

// put adds a row that is pending.
func (s *Store) put(r *row) {
	s.rows[r.event.ID] = r
	s.waiting.add(r)
}

// drop deletes a row.
func (s *Store) drop(r *row) {
	delete(s.rows, r.event.ID)
	s.waiting.remove(r)
}

// change makes a change after which a row may be elsewhere in the order, no longer
// pending, or gone.
func (s *Store) change(r *row, f func()) {
	s.waiting.remove(r)
	if f(); r.pending() && s.rows[r.event.ID] == r {
		s.waiting.add(r)
	}
}
