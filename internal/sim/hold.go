package sim

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// hold renews one batch after the other, and locked rows beside them.
func (p *process) hold() {
	if p.rests(core.HoldLoop) {
		return
	}
	began := p.now()
	var due core.Renewals
	p.step(func(c *core.Core) {
		if due = c.Leases.Due(); len(due.Locked) > 0 {
			c.Leases.LockedSent()
		}
	})
	if len(due.Locked) > 0 {
		p.renew(due.Locked, func(bool) {
			p.step(func(c *core.Core) { c.Leases.LockedEnded() })
		})
	}
	p.renewAll(due.Batches, 0, func(ok bool) {
		p.step(func(c *core.Core) { c.Leases.Done(began, ok) })
		if ok {
			p.holdWait.Reset()
		} else {
			p.holdWait.Next()
		}
		p.loops[core.HoldLoop].nap(headStart/15 + p.holdWait.Last())
	})
}

// renewAll renews the batches after the first n, beginning with the one after that
// which failed last.
func (p *process) renewAll(batches [][]*core.Item, n int, done func(ok bool)) {
	if n == len(batches) {
		done(true)
		return
	}
	at := (p.firstBatch + n) % len(batches)
	p.renew(batches[at], func(ok bool) {
		if !ok {
			p.firstBatch = at + 1
			done(false)
			return
		}
		p.renewAll(batches, n+1, done)
	})
}

func (p *process) renew(items []*core.Item, done func(ok bool)) {
	held := make([]driver.Held, len(items))
	rows := make([]driver.Renewal, len(items))
	for i, it := range items {
		held[i] = it.Held()
		rows[i].Held = held[i]
	}
	sent := p.now()
	request(p, statement[[]driver.Held]{what: "renewal", timeout: renewTimeout, changes: idsOf(items), carryOut: func() ([]driver.Held, error) {
		return p.world.store.Renew(context.Background(), p.owner, lease, rows)
	}}, func(lost []driver.Held, err error) {
		locked, err := lockedRows(err)
		if err == nil {
			p.step(func(c *core.Core) {
				c.Leases.Renewed(items, held, sent, lost, locked)
			})
		}
		done(err == nil)
	})
}

const renewTimeout = lease / 3

// idsOf returns the ids of the rows of items.
func idsOf(items []*core.Item) []string {
	ids := make([]string, len(items))
	for i, it := range items {
		ids[i] = it.Held().EventID
	}
	return ids
}
