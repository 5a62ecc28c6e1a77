package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// unsettle hands an event to the settle loop. The payload is no longer needed,
// unless dead events are kept.
func (c *Core) unsettle(it *Item) {
	c.move(it, Unsettled)
	if it.outcome.Kind != driver.Dead || !c.cfg.KeepDead {
		it.Event = nil
	}
	c.counts[it.outcome.Kind]++
	if c.round != nil {
		c.round.note(it)
	}
	c.wake(c.outcomes.add(it, c.now))
}

// NextSettle returns the next batch to write, or nil and how long to wait for
// one. With full, it returns only a full batch, to write in parallel with
// another one: then the database is the bottleneck, and one connection does not
// keep it busy.
func (c *Core) NextSettle(now time.Time, full bool) (*Batch, time.Duration) {
	return c.send(c.outcomes.next(now, full))
}

// NextApart returns the next batch of those that hold up others, or nil and how
// long to wait for one.
func (c *Core) NextApart(now time.Time) (*Batch, time.Duration) {
	return c.send(c.outcomes.nextApart(now))
}

func (c *Core) send(b *Batch, wait time.Duration) (*Batch, time.Duration) {
	if b != nil {
		for _, it := range b.Items {
			c.move(it, Settling)
		}
	}
	return b, wait
}

// Hurry says whether outcomes are sent without waiting for others.
func (c *Core) Hurry(hurry bool) { c.outcomes.hurry = hurry }

// SettleAnswer is the result of a statement with outcomes.
type SettleAnswer struct {
	Stale  []driver.Held // changed nothing
	Locked []driver.Held // locked by another session, and unchanged
	Err    SettleError
	Cause  error
	Took   time.Duration
}

// SettleError is what an error means.
type SettleError uint8

// The kinds of errors.
const (
	SettleWritten SettleError = iota
	SettleDown                // unavailable, or the answer was lost
	SettleSlow                // it took too long
	SettleRefused             // sending it again would not help
)

// maxRefused is how often a refused batch is sent again before the relay looks
// for the outcome that the database refuses.
const maxRefused = 3

// Settled reports the result of a batch.
func (c *Core) Settled(now time.Time, b *Batch, a SettleAnswer, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	switch a.Err {
	case SettleWritten:
		c.outcomes.took = a.Took
		c.written(b, a)
	case SettleRefused:
		b.refused++
		c.resend(b, a.Cause, b.refused > maxRefused)
	case SettleSlow:
		b.apart = true
		c.resend(b, a.Cause, true)
	default:
		c.resend(b, a.Cause, false)
	}
}

// resend keeps a batch, or its halves, to send again. A single outcome that is
// refused again and again is given up: its lease ends, and the event is
// delivered again.
func (c *Core) resend(b *Batch, cause error, divide bool) {
	for _, it := range b.Items {
		if it.state == Settling {
			c.move(it, Unsettled)
		}
	}
	b.Repeated = true
	if len(b.Items) == 1 && b.refused > maxRefused {
		it := b.Items[0]
		c.note(Note{Kind: NoteAbandoned, Lane: it.lane.Name, EventID: it.held.EventID, Outcome: it.outcome.Kind, Err: cause})
		c.abandon(b.Items)
		return
	}
	parts := []*Batch{b}
	if divide && len(b.Items) > 1 {
		parts = b.halves()
	}
	for _, p := range parts {
		c.wake(c.outcomes.later(p, c.now))
	}
}

// written forgets written outcomes. A stale one had no effect; if this process
// holds a newer claim of the row, the outcome is sent under that one, since its
// run has happened.
func (c *Core) written(b *Batch, a SettleAnswer) {
	stale, locked := setOf(a.Stale), setOf(a.Locked)
	var kept []*Item
	for _, it := range b.Items {
		switch {
		case it.state != Settling: // the relay has stopped meanwhile
		case locked[it.held]:
			c.move(it, Unsettled)
			it.lease.locked = c.now
			kept = append(kept, it)
		case it.next != nil && stale[it.held] && it.next.held.Seq == it.held.Seq:
			it.held, it.lease, it.Token = it.next.held, it.next.lease, it.next.Token
			it.next = nil
			c.counts[it.outcome.Kind]--
			c.unsettle(it)
		default:
			switch {
			case stale[it.held]:
			case it.neverClaimed(): // one claim for all of its transaction, which keeps the order
				c.wakeLane(it.lane)
			case it.outcome.Delay > 0 && c.stuck[it.held.EventID] == nil: // otherwise other relays go first
				c.wakeAt(it.lane, c.now.Add(it.outcome.Delay))
			}
			c.move(it, Gone)
			c.forget(it)
			c.endLone(it)
		}
	}
	if len(kept) > 0 {
		c.note(Note{Kind: NoteLocked, Lane: kept[0].lane.Name, EventID: kept[0].held.EventID, N: len(kept)})
		c.wake(c.outcomes.later(&Batch{Items: kept, apart: true, Repeated: b.Repeated, refused: b.refused, wait: b.wait}, c.now))
	}
}

// abandon leaves outcomes unwritten: the leases end, and the events are
// delivered again.
func (c *Core) abandon(items []*Item) {
	for _, it := range items {
		c.move(it, Gone)
		c.forget(it)
		c.endLone(it)
	}
}

func setOf(hs []driver.Held) map[driver.Held]bool {
	if len(hs) == 0 {
		return nil
	}
	m := make(map[driver.Held]bool, len(hs))
	for _, h := range hs {
		m[h] = true
	}
	return m
}
