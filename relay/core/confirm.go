package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// confirms holds events whose rows must be looked up before they run: they may have
// been rolled back with a savepoint.
type confirms struct {
	items []*Item
	at    time.Time // when to look again, after a look-up that got no answer
	wait  Backoff
}

// confirmBatch bounds one look-up.
const confirmBatch = 500

// toConfirm queues the event for a look-up of its row.
func (c *Core) toConfirm(it *Item) {
	c.move(it, Confirming)
	c.confirms.items = append(c.confirms.items, it)
	c.wake(ConfirmLoop)
}

// Unconfirmed returns the rows to look up, or none and how long to wait for some.
func (c *Core) Unconfirmed(now time.Time) ([]*Item, time.Duration) {
	q := &c.confirms
	n := min(len(q.items), confirmBatch)
	if n == 0 {
		return nil, time.Hour
	}
	if left := q.at.Sub(now); left > 0 {
		return nil, left
	}
	batch := append([]*Item(nil), q.items[:n]...)
	q.items = append(q.items[:0], q.items[n:]...)
	return batch, 0
}

// Confirmed reports which of the rows exist. If another one exists after all, the
// poller gets it after its head start.
func (c *Core) Confirmed(now time.Time, items []*Item, found []driver.Held, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	c.confirms.wait.Reset()
	exists := setOf(found)
	for _, it := range items {
		switch {
		case it.state != Confirming: // claimed meanwhile, or the relay has stopped
		case exists[it.held] && c.phase != Stopping && !it.lane.shut():
			it.unconfirmed = false
			c.resume(it)
		default:
			c.drop(it)
		}
	}
}

// ConfirmFailed reports that a look-up got no answer. It is repeated while
// enough is left of the head start for the event to run; then the poller gets it.
func (c *Core) ConfirmFailed(now time.Time, items []*Item, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	q := &c.confirms
	q.at = now.Add(q.wait.Next())
	var again []*Item
	for _, it := range items {
		switch {
		case it.state != Confirming:
		case c.phase != Working || it.lease.left(q.at) < c.cfg.Margin:
			c.drop(it)
		default:
			again = append(again, it)
		}
	}
	q.items = append(again, q.items...)
}
