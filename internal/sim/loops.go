package sim

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// loop is one of the relay's loops: it works, or it sleeps until its time or
// until it is woken.
type loop struct {
	p     *process
	body  func()
	sleep int  // counts the naps, so that an old alarm wakes nobody
	naps  bool // it sleeps
	woken bool // while it worked
}

func (p *process) startLoop(bit core.Loops, body func()) {
	p.loops[bit] = &loop{p: p, body: body}
	p.after(0, body)
}

// startTaking starts the loops that a round does not have.
func (p *process) startTaking() {
	p.startLoop(core.PollLoop, p.poll)
	p.startLoop(core.ProbeLoop, p.probe)
	p.expire()
}

// startLoops starts those that run until the last event is settled.
func (p *process) startLoops() {
	p.startLoop(core.SettleLoop, func() { p.settle(core.SettleLoop) })
	p.startLoop(core.BesideLoop, func() { p.settle(core.BesideLoop) })
	p.startLoop(core.ApartLoop, func() { p.settle(core.ApartLoop) })
	p.startLoop(core.HoldLoop, p.hold)
	p.startLoop(core.TakeLoop, p.take)
	p.startLoop(core.ConfirmLoop, p.confirm)
}

// nap lets the loop sleep.
func (l *loop) nap(d time.Duration) {
	if l.woken {
		l.woken = false
		l.p.after(l.p.world.between(0, 100*time.Microsecond), l.body)
		return
	}
	l.sleep++
	l.naps = true
	n := l.sleep
	l.p.after(d, func() {
		if l.naps && l.sleep == n {
			l.naps = false
			l.body()
		}
	})
}

func (l *loop) wake() {
	if l == nil {
		return
	}
	if !l.naps {
		l.woken = true
		return
	}
	l.naps = false
	l.p.after(l.p.world.between(0, 100*time.Microsecond), l.body)
}

const statementTimeout = 5 * time.Second

func (p *process) poll() {
	if p.pauses(core.PollLoop) {
		return
	}
	var pl core.Polling
	p.step(func(c *core.Core) { pl = c.Claims.Next() })
	l := p.loops[core.PollLoop]
	if len(pl.Wants) == 0 {
		l.nap(pl.Wait)
		return
	}
	p.claims = true
	p.divide(pl, nil, p.claim)
}

// divide lists the tenants of the wants that must be divided.
func (p *process) divide(pl core.Polling, lists [][]driver.WaitingTenant, then func(core.Polling)) {
	fair := 0
	for _, w := range pl.Wants {
		if w.Tenants == 0 {
			continue
		}
		if fair++; fair <= len(lists) {
			continue
		}
		request(p, statement[[]driver.WaitingTenant]{what: "tenants", timeout: statementTimeout, carryOut: func() ([]driver.WaitingTenant, error) {
			return p.world.store.Tenants(context.Background(), w.Lane, w.AfterTenant, w.Tenants)
		}}, func(list []driver.WaitingTenant, err error) {
			if err != nil {
				p.claimFailed(pl)
				return
			}
			p.divide(pl, append(lists, list), then)
		})
		return
	}
	if fair > 0 {
		p.step(func(c *core.Core) { pl = c.Claims.Divide(pl, lists) })
	}
	then(pl)
}

func (p *process) claimFailed(pl core.Polling) {
	p.claims = false
	p.step(func(c *core.Core) { c.Claims.Failed(pl) })
	if p.round != nil {
		p.endRound(false)
		return
	}
	p.after(p.claimWait.Next(), p.poll)
}

func (p *process) claim(pl core.Polling) {
	req := driver.ClaimRequest{Owner: p.owner, Lease: lease, Age: pl.Age}
	for _, w := range pl.Wants {
		req.Wants = append(req.Wants, w.Want)
	}
	sent := p.now()
	p.claimed++
	request(p, statement[[]driver.Claimed]{what: "claim", timeout: statementTimeout, carryOut: func() ([]driver.Claimed, error) {
		rows, err := p.world.store.Claim(context.Background(), req)
		p.world.ledger.claims(p, rows)
		return rows, err
	}}, func(rows []driver.Claimed, err error) {
		p.claims = false
		if err != nil {
			p.claimFailed(pl)
			return
		}
		p.claimWait.Reset()
		items := make([]core.Item, len(rows))
		p.world.claims++
		for i := range rows {
			p.world.ledger.claimed(p, rows[i].Held, p.world.claims)
			p.world.say("%s: claims %s as %d", p.name, rows[i].EventID, rows[i].ClaimNo)
			items[i] = core.NewItem(&rows[i], p.dests[rows[i].Event.Type], sent)
		}
		p.step(func(c *core.Core) {
			if p.quits {
				c.Drain() // claimed rows are given back
			}
			c.Claims.Claimed(pl, items, sent)
		})
		if p.round != nil {
			p.pollRound()
			return
		}
		p.poll()
	})
	if p.nods > 0 {
		p.freeze(p.nods)
		p.nods = 0
	}
}

func (p *process) settle(which core.Loops) {
	if p.rests(which) {
		return
	}
	var b *core.Batch
	var wait time.Duration
	var rows []driver.Outcome
	p.step(func(c *core.Core) {
		switch which {
		case core.SettleLoop:
			b, wait = c.Outcomes.Next(false)
		case core.BesideLoop:
			b, wait = c.Outcomes.Next(true)
		default:
			b, wait = c.Outcomes.NextApart()
		}
		if b != nil {
			for _, it := range b.Items {
				o := it.Outcome()
				rows = append(rows, driver.Outcome{Held: it.Held(), Kind: o.Kind, Attempts: o.Attempts, Delay: o.Delay, Error: o.Reason.Text})
			}
		}
	})
	if b == nil {
		p.loops[which].nap(wait)
		return
	}
	sent := p.world.now
	request(p, statement[[]driver.Held]{what: "settle", timeout: p.world.plan.settleTimeout, changes: idsOf(b.Items), carryOut: func() ([]driver.Held, error) {
		if p.world.refuses(rows) {
			return nil, errRefused
		}
		before := p.world.ledger.fences(rows)
		stale, err := p.world.store.Settle(context.Background(), p.owner, rows, !p.world.plan.discard)
		p.world.ledger.settled(p, rows, before, stale, err)
		return stale, err
	}}, func(stale []driver.Held, err error) {
		a := core.SettleAnswer{Stale: stale, Took: p.world.now.Sub(sent)}
		if a.Locked, a.Cause = lockedRows(err); a.Cause != nil {
			switch {
			case errors.Is(err, context.DeadlineExceeded):
				a.Err = core.SettleSlow
			case errors.Is(err, outbox.ErrStoreDown):
				a.Err = core.SettleDown
			default:
				a.Err = core.SettleRefused
			}
		}
		p.step(func(c *core.Core) { c.Outcomes.Settled(b, a) })
		p.settle(which)
	})
}

func (p *process) take() {
	if p.rests(core.TakeLoop) {
		return
	}
	var items []*core.Item
	var rows []driver.Held
	p.step(func(c *core.Core) {
		items = c.Takes.Due()
		for _, it := range items {
			rows = append(rows, it.Held())
		}
	})
	again := func() { p.loops[core.TakeLoop].nap(headStart / 15) }
	if len(items) == 0 {
		again()
		return
	}
	sent := p.now()
	request(p, statement[[]driver.Held]{what: "take", timeout: lease / 3, carryOut: func() ([]driver.Held, error) {
		return p.world.store.Take(context.Background(), p.owner, lease, rows)
	}}, func(got []driver.Held, err error) {
		if err == nil {
			for _, h := range got {
				p.world.say("%s: takes %s as %d", p.name, h.EventID, h.ClaimNo)
			}
			p.step(func(c *core.Core) { c.Takes.Taken(items, sent, got) })
		}
		again()
	})
}

func (p *process) confirm() {
	if p.rests(core.ConfirmLoop) {
		return
	}
	var items []*core.Item
	var rows []driver.Held
	var wait time.Duration
	p.step(func(c *core.Core) {
		items, wait = c.Confirms.Next()
		for _, it := range items {
			rows = append(rows, it.Held())
		}
	})
	if len(items) == 0 {
		p.loops[core.ConfirmLoop].nap(wait)
		return
	}
	request(p, statement[[]driver.Held]{what: "confirm", timeout: headStart / 3, carryOut: func() ([]driver.Held, error) {
		return p.world.store.Confirm(context.Background(), rows)
	}}, func(found []driver.Held, err error) {
		p.world.say("%s: looked up %d rows, %d are there, %v", p.name, len(rows), len(found), err)
		p.step(func(c *core.Core) {
			if err != nil {
				c.Confirms.Failed(items)
			} else {
				c.Confirms.Confirmed(items, found)
			}
		})
		p.confirm()
	})
}

func (p *process) probe() {
	if p.pauses(core.ProbeLoop) {
		return
	}
	var due []*core.Breaker
	var wait time.Duration
	p.step(func(c *core.Core) { due, wait = c.Dests.Due() })
	for _, b := range due {
		took, err := b.Target.(*eventType).check(p.world)
		p.after(took, func() {
			p.step(func(c *core.Core) { c.Dests.Probed(b, err) })
		})
	}
	p.loops[core.ProbeLoop].nap(wait)
}

func (p *process) expire() {
	p.step(func(c *core.Core) { c.Hot.Expire() })
	p.after(headStart/5, p.expire)
}
