package core

import (
	"errors"

	"github.com/sendoff-go/outbox/driver"
)

var errLost = errors.New("no answer")

func lostError(lost bool) error {
	if lost {
		return errLost
	}
	return nil
}

// nextBatches are what the three settle loops ask for.
var nextBatches = map[string]func(c *Core) *Batch{
	"settle":        func(c *Core) *Batch { b, _ := c.Outcomes.Next(false); return b },
	"settle beside": func(c *Core) *Batch { b, _ := c.Outcomes.Next(true); return b },
	"settle apart":  func(c *Core) *Batch { b, _ := c.Outcomes.NextApart(); return b },
}

var settleLoops = []string{"settle", "settle beside", "settle apart"}

// settleAny lets one of the settle loops write a batch.
func (ls *loops) settleAny() { ls.settle(settleLoops[ls.rand.IntN(len(settleLoops))]) }

func (ls *loops) settle(loop string) {
	if ls.statements.busy(loop) {
		return
	}
	var b *Batch
	var outcomes []Outcome
	var held []driver.Held
	ls.step(func(c *Core) {
		if b = nextBatches[loop](c); b == nil {
			return
		}
		for _, it := range b.Items {
			outcomes, held = append(outcomes, it.Outcome()), append(held, it.Held())
		}
	})
	if b == nil {
		return
	}
	for i, o := range outcomes {
		ls.say("%s: %s of %s, attempts %d, after %s", loop, o.Kind, held[i].EventID, o.Attempts, o.Delay)
	}
	ls.checkOutcomes(held, outcomes)
	a := ls.write(held, outcomes)
	ls.statements.send(loop, func(bool) { ls.step(func(c *Core) { c.Outcomes.Settled(b, a) }) })
}

// write sends the outcomes. Whether they are applied is unknown if the database is
// unavailable.
func (ls *loops) write(held []driver.Held, outcomes []Outcome) (a SettleAnswer) {
	applied := true
	switch a.Err = ls.outages.fails(held); {
	case a.Err != SettleWritten:
		applied = false
	case !ls.calm:
		switch ls.rand.IntN(12) {
		case 0:
			a.Err = SettleDown
		case 1:
			a.Err, applied = SettleDown, false
		case 2:
			a.Err, applied = SettleSlow, false
		case 3:
			a.Err, applied = SettleRefused, false
		}
	}
	if applied {
		stale, locked := ls.store.settle(held, outcomes, ls.now)
		if a.Err == SettleWritten {
			a.Stale, a.Locked = stale, locked
		}
	}
	if a.Err != SettleWritten {
		ls.say("that fails, kind %d, applied %t", a.Err, applied)
	}
	ls.saw["stale outcomes"] += len(a.Stale)
	ls.saw["locked outcomes"] += len(a.Locked)
	return a
}

// hold renews what is due, one batch after the other, until one gets no answer.
func (ls *loops) hold() {
	if ls.statements.busy("renewal") {
		return
	}
	began := ls.now
	var due Renewals
	ls.step(func(c *Core) {
		if due = c.Leases.Due(); len(due.Locked) > 0 {
			c.Leases.LockedSent()
		}
	})
	if len(due.Locked) > 0 {
		ls.renew("renewal of locked rows", due.Locked, func(bool) { ls.step(func(c *Core) { c.Leases.LockedEnded() }) })
	}
	ls.renewAll(due.Batches, func(lost bool) { ls.step(func(c *Core) { c.Leases.Done(began, !lost) }) })
}

func (ls *loops) renewAll(batches [][]*Item, then func(lost bool)) {
	if len(batches) == 0 {
		then(false)
		return
	}
	ls.renew("renewal", batches[0], func(lost bool) {
		if lost {
			then(true)
		} else {
			ls.renewAll(batches[1:], then)
		}
	})
}

func (ls *loops) renew(name string, items []*Item, then func(lost bool)) {
	sent, held := ls.now, heldOf(items)
	gone, locked := ls.store.renew(held, 0, sent, ls.core.mem.cfg.Lease)
	ls.saw["lost leases"] += len(gone)
	ls.statements.send(name, func(lost bool) {
		if !lost {
			ls.step(func(c *Core) { c.Leases.Renewed(items, held, sent, gone, locked) })
		}
		then(lost)
	})
}
