package core

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// Admit reserves hot slots for events before their INSERT, all or none. The
// events are in the same order as their items. Without room the rows are
// written as ordinary ones, and the poller delivers them. An id has one slot: a
// concurrent write of the same id gets none, since only one of the two can be
// stored.
func (c *Core) Admit(now, since time.Time, es []outbox.Event, items []Item, fx *Effects) bool {
	c.begin(now, fx)
	defer c.end()
	if c.phase != Working {
		return false
	}
	c.expire()
	for i := range es {
		if !c.admits(&es[i], &items[i], len(es)) {
			for j := range i {
				c.slots.free(es[j].ID, since)
			}
			for j := range es {
				c.refused(&es[j], 0)
			}
			return false
		}
		c.slots.reserve(&items[i], since)
	}
	return true
}

func (c *Core) admits(e *outbox.Event, it *Item, n int) bool {
	l := c.lanes[e.Type]
	if l == nil || e.Delayed() || l.shut() || !it.Dest.breakerOrNil().isClosed() || c.slots.has(e.ID) || c.refusals.has(e) {
		return false
	}
	if it.lane = l; l.hotWait+l.reserved >= l.cfg.HotQueue || it.size > c.poller.spare(l) {
		c.hotDropped(l, n)
		return false
	}
	return true
}

// overflow limits the log about a full hot queue: not a line per write.
type overflow struct {
	n    int
	told time.Time
}

// hotDropped notes that a hot queue is full: nothing is lost, the poller will
// deliver.
func (c *Core) hotDropped(l *Lane, n int) {
	if l.cfg.HotQueue <= 0 {
		return // the hot path is off
	}
	note := Note{Kind: NoteHotDropped, Lane: l.Name, N: n}
	if l.overflow.n += n; c.now.Sub(l.overflow.told) >= time.Second {
		note.Logged = l.overflow.n
		l.overflow = overflow{told: c.now}
	}
	c.note(note)
}

// Expire frees slots that open transactions have held for too long.
func (c *Core) Expire(now time.Time, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	c.expire()
	if id, m := c.absent.find(now, c.cfg.HeadStart); m != nil {
		c.note(Note{Kind: NoteUnreported, Lane: m.lane, EventID: id, Wait: m.claimed.Sub(m.since)})
	}
}

func (c *Core) expire() {
	c.slots.expire(c.now, c.cfg.HeadStart, c.absent.expired)
	c.refusals.expire(c.now, c.cfg.HeadStart)
}

// refused remembers that the poller must deliver an event of this relay.
func (c *Core) refused(e *outbox.Event, seq int64) {
	if c.lanes[e.Type] != nil {
		c.refusals.add(e, seq, c.now)
	}
}

// Committed reports what a transaction committed, in order: admitted events go
// to their lane, and the poller is woken for the rest. An admitted event is
// given back if an earlier one of its key is left to the poller: the slots of
// one transaction do not expire at the same time.
func (c *Core) Committed(now time.Time, ws []outbox.Written, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for i := range ws {
		w := &ws[i]
		c.absent.reported(w.Event.ID)
		var it *Item
		if w.HeadStart > 0 {
			it = c.slots.free(w.Event.ID, w.Since)
		}
		if it != nil {
			it.lease = lease{from: w.Since, length: w.HeadStart}
			if it.held.Seq = w.Seq; it.lease.left(now) <= 0 {
				it = nil // the poller may be claiming it
			}
		}
		hot := it != nil && w.Hot() && c.phase == Working
		switch l := c.lanes[w.Event.Type]; {
		case hot && c.refusals.hasEarlier(&w.Event, w.Seq):
			c.refused(&w.Event, w.Seq)
			c.refuse(it)
		case hot:
			c.takeHot(it, w)
		case l != nil:
			c.refused(&w.Event, w.Seq) // its transaction may have been open for long
			c.wakeFor(l, &w.Event)
		default:
			fx.Others = append(fx.Others, w.Event.Type)
		}
	}
}

func (c *Core) takeHot(it *Item, w *outbox.Written) {
	it.Since = w.Since
	if c.cfg.TellHot {
		c.note(Note{Kind: NoteHotEnqueued, Lane: it.lane.Name, N: 1})
	}
	it.unconfirmed = w.Confirm
	c.enter(it)
}

// Dropped reports what was rolled back, or may have been. A row whose commit is
// unknown is left to the poller.
func (c *Core) Dropped(now time.Time, ws []outbox.Written, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	for i := range ws {
		c.absent.reported(ws[i].Event.ID)
		if ws[i].HeadStart > 0 {
			c.slots.free(ws[i].Event.ID, ws[i].Since)
		}
	}
}
