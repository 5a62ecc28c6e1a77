package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Leases are the hold loop's questions and answers: what to renew, and what was
// renewed.
type Leases struct {
	*memory
	runs *Runs
	// apart: a renewal of locked rows is under way.
	apart bool
}

// Renewals are the leases to renew now. Each batch is one statement.
type Renewals struct {
	Batches [][]*Item
	// Locked are rows that another session had locked. They are separate
	// because the others must not wait for them: see [Leases.LockedSent].
	Locked []*Item
}

// LockedSent reports that the renewal of locked rows is under way: it may hang, and
// holds a connection. Until [Leases.LockedEnded] there is no other one.
func (ls *Leases) LockedSent() { ls.apart = true }

// LockedEnded reports that this renewal is over, with an answer or without.
func (ls *Leases) LockedEnded() { ls.apart = false }

// Due returns the events that have used a third of their lease or, after
// an outage, all that were held at its beginning. It ends runs that outlive
// their lease, and gives up those that ignore the end of their context.
func (ls *Leases) Due() Renewals {
	var due []*Item
	var r Renewals
	pick := func(it *Item) {
		switch {
		case !it.lease.due(ls.now) && !(ls.poller.unsure(it.lease.from) && it.held.ClaimNo > 0):
		case it.state == Settling && it.lease.left(ls.now) > it.lease.length/2: // nearly always settled in time
		case it.lease.locked.IsZero():
			due = append(due, it)
		case !ls.apart && it.lease.locked.Add(ls.cfg.Lease/3).Before(ls.now):
			r.Locked = append(r.Locked, it)
		}
	}
	for _, it := range slices.Clone(ls.book.items) {
		if it.state.runs() {
			ls.watch(it)
		}
		switch {
		case it.state == Confirming || it.state == Taking || it.state == Gone:
		case it.state.waits() && it.held.ClaimNo == 0: // taken instead
		default:
			pick(it)
		}
		if it.next != nil {
			pick(it.next)
		}
	}
	for part := range slices.Chunk(due, ls.cfg.SettleBatch) {
		r.Batches = append(r.Batches, part)
	}
	return r
}

// watch cancels or gives up a run that takes too long.
func (ls *Leases) watch(it *Item) {
	if it.state == Running && it.lease.left(ls.now) <= 0 && !it.lockedAmongOthers() {
		ls.runs.cancel(it)
	}
	if run := it.run; run != nil && run.Items[0] == it && !run.overdue && ls.now.After(run.Deadline.Add(stuckGrace)) {
		run.noteOverdue()
		ls.fx.Cancel = append(ls.fx.Cancel, run)
		ls.fx.Overdue = append(ls.fx.Overdue, run)
	}
}

// Renewed reports the result of a renewal and when it was sent: which events
// were lost, and which another session has locked. A lost event is dropped if
// it waits, and cancelled if it runs; its outcome is still sent, and the fence
// decides.
func (ls *Leases) Renewed(items []*Item, held []driver.Held, sent time.Time, lost, locked []driver.Held) {
	ls.poller.renews.learn(ls.now, ls.cfg.Lease, len(items), ls.now.Sub(sent))
	gone, kept := setOf(lost), setOf(locked)
	for i, it := range items {
		if it.held != held[i] || it.state == Gone { // has another claim now
			continue
		}
		switch {
		case gone[held[i]]:
			ls.lost(it)
		case kept[held[i]]:
			it.lease.lock(sent)
		default:
			it.renewed(sent, ls.cfg.Lease)
			if it.state == Lapsed {
				ls.resume(it)
			}
		}
	}
}

// lost drops an event that is no longer held, or cancels its run.
func (ls *Leases) lost(it *Item) {
	switch {
	case it.state == Fresh, it.state == Unsure: // a newer claim that follows an older one
		if older := ls.book.byID[it.held.EventID]; older != nil && older.next == it {
			older.next = nil
		}
	case it.state.waits():
		ls.drop(it)
	case it.state == Running:
		ls.runs.cancel(it)
	}
}

// Done reports whether all renewals of a round that began at that time were
// answered.
func (ls *Leases) Done(began time.Time, answered bool) {
	if answered {
		ls.poller.renewed(began)
	}
}
