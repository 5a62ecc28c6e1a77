package core

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// Hot is what writers report: events that are about to be written, and what
// became of their transactions.
type Hot struct {
	*memory
	slots    slots
	refusals refusals
	absent   unreported
}

func newHot(m *memory) *Hot {
	return &Hot{memory: m, slots: newSlots(&m.load), refusals: newRefusals()}
}

// Admit reserves hot slots for events before their INSERT, all or none. The
// events are in the same order as their items. Without room the rows are
// written as ordinary ones, and the poller delivers them. An id has one slot: a
// concurrent write of the same id gets none, since only one of the two can be
// stored.
func (h *Hot) Admit(since time.Time, es []outbox.Event, items []Item) bool {
	if h.phase != Working {
		return false
	}
	h.expire()
	for i := range es {
		if !h.admits(&es[i], &items[i], len(es)) {
			for j := range i {
				h.slots.free(es[j].ID, since)
			}
			for j := range es {
				h.refused(&es[j], 0)
			}
			return false
		}
		h.slots.reserve(&items[i], since)
	}
	return true
}

func (h *Hot) admits(e *outbox.Event, it *Item, n int) bool {
	l := h.lanes.Named(e.Type)
	if l == nil || e.Delayed() || l.shut() || !it.Dest.breakerOrNil().isClosed() || h.slots.has(e.ID) || h.refusals.has(e) {
		return false
	}
	if it.lane = l; l.hotWait+l.reserved >= l.cfg.HotQueue || it.size > h.poller.spare(l) {
		h.hotDropped(l, n)
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
func (h *Hot) hotDropped(l *Lane, n int) {
	if l.cfg.HotQueue <= 0 {
		return // the hot path is off
	}
	h.note(Note{Kind: NoteHotDropped, Lane: l.Name, N: n, Logged: l.overflow.add(n, h.now)})
}

// add counts events, and returns how many to log.
func (o *overflow) add(n int, now time.Time) (logged int) {
	if o.n += n; now.Sub(o.told) < time.Second {
		return 0
	}
	logged = o.n
	*o = overflow{told: now}
	return logged
}

// Expire frees slots that open transactions have held for too long.
func (h *Hot) Expire() {
	h.expire()
	if id, m := h.absent.find(h.now, h.cfg.HeadStart); m != nil {
		h.note(Note{Kind: NoteUnreported, Lane: m.lane, EventID: id, Wait: m.claimed.Sub(m.since)})
	}
}

func (h *Hot) expire() {
	h.slots.expire(h.now, h.cfg.HeadStart, h.absent.expired)
	h.refusals.expire(h.now, h.cfg.HeadStart)
}

// refused remembers that the poller must deliver an event of this relay.
func (h *Hot) refused(e *outbox.Event, seq int64) {
	if h.lanes.Named(e.Type) != nil {
		h.refusals.add(e, seq, h.now)
	}
}

// left remembers that the poller must deliver an event that was in memory.
func (h *Hot) left(it *Item) {
	if it.Event != nil {
		h.refused(it.Event, it.held.Seq)
	}
}

// Committed reports what a transaction committed, in order: admitted events go
// to their lane, and the poller is woken for the rest. An admitted event is
// given back if an earlier one of its key is left to the poller: the slots of
// one transaction do not expire at the same time.
func (h *Hot) Committed(ws []outbox.Written) {
	for i := range ws {
		w := &ws[i]
		h.absent.reported(w.Event.ID)
		var it *Item
		if w.HeadStart > 0 {
			it = h.slots.free(w.Event.ID, w.Since)
		}
		if it != nil {
			it.written(w)
			if it.lease.left(h.now) <= 0 {
				it = nil // the poller may be claiming it
			}
		}
		hot := it != nil && w.Hot() && h.phase == Working
		switch l := h.lanes.Named(w.Event.Type); {
		case hot && h.refusals.hasEarlier(&w.Event, w.Seq):
			h.refused(&w.Event, w.Seq)
			h.refuse(it)
		case hot:
			h.takeHot(it, w)
		case l != nil:
			h.refused(&w.Event, w.Seq) // its transaction may have been open for long
			h.poller.wakeFor(l, &w.Event)
		default:
			h.fx.Others = append(h.fx.Others, w.Event.Type)
		}
	}
}

func (h *Hot) takeHot(it *Item, w *outbox.Written) {
	it.Since = w.Since
	if h.cfg.TellHot {
		h.note(Note{Kind: NoteHotEnqueued, Lane: it.lane.Name, N: 1})
	}
	if w.Confirm {
		h.move(it, Unsure)
	}
	h.enter(it)
}

// Dropped reports what was rolled back, or may have been. A row whose commit is
// unknown is left to the poller.
func (h *Hot) Dropped(ws []outbox.Written) {
	for i := range ws {
		h.absent.reported(ws[i].Event.ID)
		if ws[i].HeadStart > 0 {
			h.slots.free(ws[i].Event.ID, ws[i].Since)
		}
	}
}

// claimed notes that the poller has an event.
func (h *Hot) claimed(id string) {
	h.refusals.forget(id)
	if s, open := h.slots.byID[id]; open { // its slot is about to expire
		h.absent.expired(s)
	}
	h.absent.claimed(id, h.now)
}

// rest forgets the open transactions, but not what was left to the poller a
// moment ago: an event that is written after the next start must not overtake it.
func (h *Hot) rest() {
	for id, s := range h.slots.byID {
		h.slots.free(id, s.since)
	}
	h.slots = newSlots(&h.load)
	h.absent.forget()
}
