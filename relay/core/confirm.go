package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// lookups holds events whose rows must be looked up before they run: they may have
// been rolled back with a savepoint.
type lookups struct {
	items []*Item
	at    time.Time // when to look again, after a look-up that got no answer
	wait  Backoff
}

func (q *lookups) forget() { *q = lookups{} }

// Confirms are look-ups of rows that may have been rolled back.
type Confirms struct{ *memory }

// confirmBatch bounds one look-up.
const confirmBatch = 500

// toConfirm queues the event for a look-up of its row.
func (m *memory) toConfirm(it *Item) {
	if m.move(it, Confirming) {
		m.lookups.items = append(m.lookups.items, it)
		m.wake(ConfirmLoop)
	}
}

// Next returns the rows to look up, or none and how long to wait for some.
func (cs *Confirms) Next() ([]*Item, time.Duration) {
	q := &cs.lookups
	n := min(len(q.items), confirmBatch)
	if n == 0 {
		return nil, time.Hour
	}
	if left := q.at.Sub(cs.now); left > 0 {
		return nil, left
	}
	batch := append([]*Item(nil), q.items[:n]...)
	q.items = append(q.items[:0], q.items[n:]...)
	return batch, 0
}

// Confirmed reports which of the rows exist. If another one exists after all, the
// poller gets it after its head start.
func (cs *Confirms) Confirmed(items []*Item, found []driver.Held) {
	cs.lookups.wait.Reset()
	exists := setOf(found)
	for _, it := range items {
		switch {
		case it.state != Confirming: // claimed meanwhile, or the relay has stopped
		case exists[it.held] && cs.phase != Stopping && !it.lane.shut():
			cs.resume(it)
		default:
			cs.drop(it)
		}
	}
}

// Failed reports that a look-up got no answer. It is repeated while
// enough is left of the head start for the event to run; then the poller gets it.
func (cs *Confirms) Failed(items []*Item) {
	q := &cs.lookups
	q.at = cs.now.Add(q.wait.Next())
	var again []*Item
	for _, it := range items {
		switch {
		case it.state != Confirming:
		case cs.phase != Working:
			cs.drop(it)
		case it.lease.left(q.at) < cs.cfg.Margin: // a claim by id finds out as well, and it keeps its place
			cs.move(it, Taking)
			cs.wake(TakeLoop)
		default:
			again = append(again, it)
		}
	}
	q.items = append(again, q.items...)
}

// stop forgets the rows that were never looked up: their head start ends by
// itself.
func (cs *Confirms) stop() {
	for _, it := range cs.lookups.items {
		if it.state == Confirming {
			cs.drop(it)
		}
	}
	cs.lookups.forget()
}
