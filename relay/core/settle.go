package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Outcomes are the settle loops' questions and answers: what to write, and what
// was written.
type Outcomes struct{ *memory }

// Next returns the next batch to write, or nil and how long to wait for
// one. With full, it returns only a full batch, to write in parallel with
// another one: then the database is the bottleneck, and one connection does not
// keep it busy.
func (o *Outcomes) Next(full bool) (*Batch, time.Duration) {
	return o.send(o.unsettled.next(o.now, full))
}

// NextApart returns the next batch of those that hold up others, or nil and how
// long to wait for one.
func (o *Outcomes) NextApart() (*Batch, time.Duration) {
	return o.send(o.unsettled.nextApart(o.now))
}

func (o *Outcomes) send(b *Batch, wait time.Duration) (*Batch, time.Duration) {
	if b != nil {
		o.unsettled.sent.begins(b, o.now)
		for _, it := range b.Items {
			o.move(it, Settling)
		}
	}
	return b, wait
}

// Hurry says whether outcomes are sent without waiting for others.
func (o *Outcomes) Hurry(hurry bool) {
	if o.unsettled.setHurry(hurry); hurry {
		o.wake(SettleLoop)
	}
}

// Counts returns the number of outcomes so far, by kind.
func (o *Outcomes) Counts() [5]int { return o.unsettled.counts }

// Unwritten returns the number of outcomes that are not written yet, by kind.
func (o *Outcomes) Unwritten() (n [5]int) {
	for _, it := range o.book.items {
		if (it.state == Unsettled || it.state == Settling) && !it.outcome.uncounted {
			n[it.outcome.Kind]++
		}
	}
	return n
}

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
func (o *Outcomes) Settled(b *Batch, a SettleAnswer) {
	o.unsettled.sent.ends(b, a)
	switch a.Err {
	case SettleWritten:
		locked := setOf(a.Locked)
		o.wake(o.unsettled.written(b, locked, o.now, a.Took))
		o.written(b, a.Stale, locked)
	case SettleRefused:
		b.refused++
		if len(b.Items) == 1 && b.refused > maxRefused {
			o.giveUp(b.Items[0], a.Cause)
			return
		}
		o.resend(b, b.refused > maxRefused)
	case SettleSlow:
		b.apart = true
		o.unsettled.slow(b, o.now)
		o.resend(b, true)
	default:
		guilty := o.unsettled.down(b, o.now)
		o.wake(SettleLoop) // if there is doubt, it has samples to send
		b.apart = b.apart || guilty
		o.resend(b, guilty)
	}
}

// resend keeps a batch, or its parts, to send again.
func (o *Outcomes) resend(b *Batch, divide bool) {
	for _, it := range b.Items {
		if it.state == Settling {
			o.move(it, Unsettled)
		}
	}
	b.Repeated = true
	parts := []*Batch{b}
	if divide && len(b.Items) > 1 {
		parts = b.parts()
	}
	for _, p := range parts {
		if p.apart || o.unsettled.doubt.is() { // the next suspect does not run either unless the database is available
			for _, it := range p.Items {
				o.suspects.end(it)
			}
		}
		o.wake(o.unsettled.later(p, o.now))
	}
}

// giveUp leaves an outcome unwritten that is refused again and again: its lease ends,
// and the event is delivered again.
func (o *Outcomes) giveUp(it *Item, cause error) {
	o.note(Note{Kind: NoteAbandoned, Lane: it.lane.Name, EventID: it.held.EventID, Outcome: it.outcome.Kind, Err: cause})
	o.unsettled.giveUp(it, o.now)
	o.round.gaveUp(it)
	o.settled(it)
}

// written forgets written outcomes. A stale one had no effect; if this process
// holds a newer claim of the row, the outcome is sent under that one, since its
// run has happened.
func (o *Outcomes) written(b *Batch, changedNothing []driver.Held, locked map[driver.Held]bool) {
	stale := setOf(changedNothing)
	var kept []*Item
	for _, it := range b.Items {
		switch {
		case it.state != Settling: // the relay has stopped meanwhile
		case locked[it.held]:
			o.move(it, Unsettled)
			it.lease.lock(o.now)
			o.suspects.end(it) // its run has ended, and the row may stay locked for long
			kept = append(kept, it)
		case it.next != nil && stale[it.held] && it.next.held.Seq == it.held.Seq && !(b.Repeated && it.appliedTo(&it.next.claim)):
			it.adopt(&it.next.claim)
			it.next = nil
			o.unsettled.uncount(it.outcome.Kind)
			o.unsettle(it)
		default:
			switch {
			case stale[it.held]:
			case it.neverClaimed(): // one claim for all of its transaction, which keeps the order
				o.poller.wakeLane(it.lane)
			case it.outcome.Delay > 0 && it.Dest != nil && !o.stuck.has(it.held.EventID): // otherwise other relays go first
				o.poller.wakeAt(it.lane, o.now.Add(it.outcome.Delay))
			}
			o.unsettled.ends(it)
			o.settled(it)
		}
	}
	if len(kept) > 0 {
		o.note(Note{Kind: NoteLocked, Lane: kept[0].lane.Name, EventID: kept[0].held.EventID, N: len(kept)})
		o.wake(o.unsettled.later(&Batch{Items: kept, apart: true, stubborn: true, Repeated: b.Repeated, refused: b.refused, wait: b.wait}, o.now))
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
