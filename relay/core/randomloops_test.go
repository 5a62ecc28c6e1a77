package core

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

// loops do what those of package relay do, except for outcomes and leases.
type loops struct {
	*world
	decided []Decision // for which the hooks are not called yet
}

// claim asks what to claim, and claims it.
func (ls *loops) claim() {
	if ls.statements.busy("claim") {
		return
	}
	if ls.rounds.over && !ls.calm {
		ls.restart()
		return
	}
	p := ls.rounds.next()
	if len(p.Wants) == 0 {
		return
	}
	if lists := ls.tenants(p); len(lists) > 0 {
		ls.saw["divided claims"]++
		ls.step(func(c *Core) { p = c.Claims.Divide(p, lists) })
	}
	sent := ls.now
	var rows []*modelRow
	for _, want := range p.Wants {
		rows = append(rows, ls.store.claim(thisRelay, want.Want, sent, p.Age, ls.core.mem.cfg.Lease)...)
	}
	slices.SortStableFunc(rows, func(a, b *modelRow) int { // of a lane that is wanted twice
		return cmp.Or(cmp.Compare(a.event.Type, b.event.Type), a.availableAt.Compare(b.availableAt), cmp.Compare(a.seq, b.seq))
	})
	items, ids := make([]Item, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		c := r.claimed()
		items[i], ids[i] = NewItem(&c, ls.destOf(r.event.Type, r.event.ID), sent), r.event.ID
	}
	ls.say("claimed: %s", strings.Join(ids, " "))
	ls.statements.send("claim", func(lost bool) {
		ls.step(func(c *Core) {
			if lost {
				c.Claims.Failed(p)
			} else {
				c.Claims.Claimed(p, items, sent)
			}
		})
		if lost {
			ls.rounds.failed()
		}
	})
}

// tenants lists those of each want that must be divided.
func (ls *loops) tenants(p Polling) (lists [][]driver.WaitingTenant) {
	for _, want := range p.Wants {
		if want.Tenants > 0 {
			lists = append(lists, ls.store.tenants(want.Lane, want.AfterTenant, want.Tenants))
		}
	}
	return lists
}

// take claims hot events by id. Without an answer it is repeated.
func (ls *loops) take() {
	if ls.statements.busy("take") {
		return
	}
	var items []*Item
	ls.step(func(c *Core) { items = c.Takes.Due() })
	if len(items) == 0 {
		return
	}
	sent := ls.now
	got := ls.store.takeByID(heldOf(items), sent, ls.core.mem.cfg.Lease)
	ls.saw["takes"] += len(got)
	ls.statements.send("take", func(lost bool) {
		if !lost {
			ls.step(func(c *Core) { c.Takes.Taken(items, sent, got) })
		}
	})
}

// confirm looks up rows that may have been rolled back with a savepoint.
func (ls *loops) confirm() {
	if ls.statements.busy("look-up") {
		return
	}
	var items []*Item
	ls.step(func(c *Core) { items, _ = c.Confirms.Next() })
	if len(items) == 0 {
		return
	}
	found := ls.store.confirm(heldOf(items))
	ls.statements.send("look-up", func(lost bool) {
		ls.step(func(c *Core) {
			if lost {
				c.Confirms.Failed(items)
			} else {
				c.Confirms.Confirmed(items, found)
			}
		})
	})
}

// probe checks destinations. A check that is late ends with its answer all the same.
func (ls *loops) probe() {
	if ls.rounds.on {
		return
	}
	var due []*Breaker
	ls.step(func(c *Core) { due, _ = c.Dests.Due() })
	for _, b := range due {
		name := "check of " + b.Name
		ls.statements.send(name, func(lost bool) {
			if lost && ls.oneIn(3) {
				ls.step(func(c *Core) { c.Dests.CheckLate(b) })
				ls.statements.send("late "+name, func(lost bool) {
					ls.step(func(c *Core) { c.Dests.CheckEnded(b, lostError(lost)) })
				})
			}
			ls.step(func(c *Core) { c.Dests.Probed(b, lostError(lost)) })
		})
	}
}

// tell calls the hooks for some of the decisions, in their order.
func (ls *loops) tell() {
	if len(ls.decided) == 0 {
		return
	}
	n := 1 + ls.rand.IntN(len(ls.decided))
	told := slices.Clone(ls.decided[:n])
	ls.decided = slices.Delete(ls.decided, 0, n)
	ls.step(func(c *Core) { c.Decisions.Told(told) })
}

func (ls *loops) expire() { ls.step(func(c *Core) { c.Hot.Expire() }) }

func heldOf(items []*Item) []driver.Held {
	held := make([]driver.Held, len(items))
	for i, it := range items {
		held[i] = it.held
	}
	return held
}
