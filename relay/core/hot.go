package core

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// slots are the hot places of transactions that are still open.
type slots struct {
	byID  map[string]slot
	order fifo[slot] // by time; those that are over are passed over
}

type slot struct {
	it    *Item
	since time.Time
}

func newSlots() slots { return slots{byID: map[string]slot{}} }

// refusals remembers events that were refused a hot place: those of their key
// that are written after them must not overtake them. Each is kept until the
// poller has the event, but no longer than the head start lasts.
type refusals struct {
	byID  map[string]refusal
	keys  map[Key]int // how many of them are of each key
	order fifo[refusal]
}

type refusal struct {
	key  Key
	id   string
	from time.Time
}

func newRefusals() refusals { return refusals{byID: map[string]refusal{}, keys: map[Key]int{}} }

// maxRefusals bounds what is remembered; beyond it every event with a key is
// refused.
const maxRefusals = 10_000

// Admit reserves hot places for events before their INSERT, all or none. The
// events are in the same order as the items that were made for them. Without
// room the rows are written as ordinary ones, and the poller delivers.
func (c *Core) Admit(now time.Time, es []outbox.Event, items []Item, fx *Effects) bool {
	c.begin(now, fx)
	defer c.end()
	if c.phase != Working {
		return false
	}
	c.slots.expire(c)
	c.refused.expire(c)
	c.slots.order.tidy(len(c.slots.byID), func(s slot) bool { return c.slots.byID[s.it.held.EventID] != s })
	c.refused.order.tidy(len(c.refused.byID), func(f refusal) bool { return c.refused.byID[f.id] != f })
	for i := range es {
		if !c.admits(&es[i], &items[i], len(es)) {
			for j := range i {
				c.slots.free(c, es[j].ID, now)
			}
			for j := range es {
				c.refused.add(c, &es[j])
			}
			return false
		}
		it := &items[i]
		c.slots.free(c, es[i].ID, now) // of a write that was rolled back to a savepoint
		it.lane.reserved++
		c.load.weigh(it.lane, it.size)
		c.slots.byID[es[i].ID] = slot{it, now}
		c.slots.order.push(slot{it, now})
	}
	return true
}

func (c *Core) admits(e *outbox.Event, it *Item, n int) bool {
	l := c.lanes[e.Type]
	if l == nil || e.Delayed() || l.paused || !it.Dest.breakerOrNil().isClosed() || c.refused.has(e) {
		return false
	}
	if it.lane = l; l.hotWait+l.reserved >= l.cfg.HotQueue || it.size > c.poller.spare(l) {
		c.hotDropped(l, n)
		return false
	}
	return true
}

// overflow is what is told of a hot queue that is full: not a line per write.
type overflow struct {
	n    int
	told time.Time
}

// hotDropped tells that a hot queue is full: nothing is lost, the poller will
// deliver.
func (c *Core) hotDropped(l *Lane, n int) {
	if l.cfg.HotQueue <= 0 {
		return // switched off
	}
	note := Note{Kind: NoteHotDropped, Lane: l.Name, N: n}
	if l.overflow.n += n; c.now.Sub(l.overflow.told) >= time.Second {
		note.Logged = l.overflow.n
		l.overflow = overflow{told: c.now}
	}
	c.note(note)
}

// free returns what a slot was reserved for by then, or nil if the slot is
// gone. A later one belongs to another write of the same id.
func (s *slots) free(c *Core, id string, by time.Time) *Item {
	got, ok := s.byID[id]
	if !ok || got.since.After(by) {
		return nil
	}
	delete(s.byID, id)
	got.it.lane.reserved--
	c.load.weigh(got.it.lane, -got.it.size)
	return got.it
}

// expire frees the slots of transactions that outlast the head start.
func (s *slots) expire(c *Core) {
	for s.order.len() > 0 {
		first := s.order.front()
		id := first.it.held.EventID
		if s.byID[id] == first { // not over already
			if Elapsed(first.since, c.now) <= c.cfg.HeadStart {
				return
			}
			s.free(c, id, c.now)
		}
		s.order.pop()
	}
}

// Expire frees what open transactions have reserved for too long.
func (c *Core) Expire(now time.Time, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	c.slots.expire(c)
	c.refused.expire(c)
}

func (r *refusals) has(e *outbox.Event) bool {
	return e.AggregateID != "" && (r.keys[keyOf(e)] > 0 || len(r.byID) >= maxRefusals)
}

func (r *refusals) add(c *Core, e *outbox.Event) {
	if e.AggregateID == "" || e.Delayed() || len(r.byID) >= maxRefusals || c.lanes[e.Type] == nil {
		return
	}
	f := refusal{keyOf(e), e.ID, c.now}
	r.forget(f.id)
	r.byID[f.id] = f
	r.keys[f.key]++
	r.order.push(f)
}

// forget drops a refusal. When the poller has the event, the key's line keeps
// the order from there on.
func (r *refusals) forget(id string) {
	f, ok := r.byID[id]
	if !ok {
		return
	}
	delete(r.byID, id)
	if r.keys[f.key]--; r.keys[f.key] == 0 {
		delete(r.keys, f.key)
	}
}

func (r *refusals) expire(c *Core) {
	for r.order.len() > 0 {
		first := r.order.front()
		if r.byID[first.id] == first {
			if Elapsed(first.from, c.now) <= c.cfg.HeadStart {
				return
			}
			r.forget(first.id)
		}
		r.order.pop()
	}
}

// Committed says what a transaction committed, in order: what was admitted goes
// to its lane, and the poller is woken for the rest.
func (c *Core) Committed(now time.Time, ws []outbox.Written, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for i := range ws {
		w := &ws[i]
		it := c.slots.free(c, w.Event.ID, w.Since)
		if it != nil && w.Hot() && c.phase == Working {
			c.takeHot(it, w)
		} else if l := c.lanes[w.Event.Type]; l != nil {
			c.refused.add(c, &w.Event) // its transaction may have been open for long
			c.wakeFor(l, &w.Event)
		} else {
			fx.Others = append(fx.Others, w.Event.Type)
		}
	}
}

func (c *Core) takeHot(it *Item, w *outbox.Written) {
	it.held.Seq = w.Seq
	it.Since = w.Since
	it.lease = lease{from: w.Since, length: w.HeadStart}
	c.note(Note{Kind: NoteHotEnqueued, Lane: it.lane.Name, N: 1})
	if !w.Confirm {
		c.enter(it)
		return
	}
	if old := c.book.byID[it.held.EventID]; old != nil {
		c.follow(old, it)
		return
	}
	c.book.add(it)
	c.move(it, Confirming)
	c.confirm = append(c.confirm, it)
	c.wake(ConfirmLoop)
}

// Dropped says what was rolled back, or may have been. A row whose commit is
// unknown is left to the poller.
func (c *Core) Dropped(now time.Time, ws []outbox.Written, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for i := range ws {
		c.slots.free(c, ws[i].Event.ID, ws[i].Since)
	}
}

// confirmBatch bounds one look-up.
const confirmBatch = 500

// Unconfirmed are rows to be looked up: they may have been rolled back with a
// savepoint.
func (c *Core) Unconfirmed() []*Item {
	n := min(len(c.confirm), confirmBatch)
	batch := append([]*Item(nil), c.confirm[:n]...)
	c.confirm = append(c.confirm[:0], c.confirm[n:]...)
	return batch
}

// Confirmed says which of them exist. The poller has the others after their
// head start, if there are any.
func (c *Core) Confirmed(now time.Time, items []*Item, found []outbox.Held, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	exists := setOf(found)
	for _, it := range items {
		switch {
		case it.state != Confirming: // claimed meanwhile, or the relay has stopped
		case exists[it.held] && c.phase != Stopping && !it.lane.paused:
			c.enlist(it)
		default:
			c.drop(it)
		}
	}
}
