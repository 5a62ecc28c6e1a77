package core

import (
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// pause is what people have paused at the next look.
func (w *world) pause() {
	p := Paused{Asked: w.now}
	for i := range w.dests {
		if !w.calm && w.oneIn(5) {
			p.Lanes = append(p.Lanes, fmt.Sprint("T", i))
		}
		if !w.calm && w.oneIn(5) {
			p.Dests = append(p.Dests, fmt.Sprint("d", i))
		}
	}
	w.say("paused: lanes %v, destinations %v", p.Lanes, p.Dests)
	w.step(func(c *Core) { c.Pause(p) })
}

// lockRow lets another session lock a row for some seconds.
func (w *world) lockRow() {
	if rows := w.store.pending; len(rows) > 0 {
		r := rows[w.rand.IntN(len(rows))]
		r.taken = w.now.Add(w.upTo(20 * time.Second))
		w.say("%s is locked by another session", r.event.ID)
	}
}

// stall lets this process stand still for longer than its leases, while another relay
// goes on.
func (w *world) stall() {
	w.say("stands still")
	for range 5 {
		w.now = w.now.Add(4 * time.Second)
		w.steal()
	}
}

// steal lets another relay claim some rows. It may disappear with them.
func (w *world) steal() {
	lane := fmt.Sprint("T", w.rand.IntN(3))
	for _, r := range w.store.claim(otherRelay, driver.Want{Lane: lane, Rows: 1 + w.rand.IntN(3)}, w.now, 0, w.core.mem.cfg.Lease) {
		did := "claims"
		switch w.rand.IntN(6) {
		case 0:
			did = "delivers"
			w.store.end(r)
		case 1:
			did = "fails to deliver"
			r.again(&Outcome{Kind: driver.Retry, Attempts: r.attempts + 1}, w.now)
		case 2, 3:
			did = "releases"
			r.again(&Outcome{Kind: driver.Release, Attempts: r.attempts}, w.now)
		}
		w.say("another relay %s %s", did, r.event.ID)
		w.saw["stolen rows"]++
	}
}

// restart ends the relay, and starts it again. Nothing that it has sent is under way
// then, but runs may ignore the end of their context.
func (w *world) restart() {
	if w.restarting {
		return
	}
	w.restarting = true
	w.saw["restarts"]++
	w.say("drains")
	w.step(func(c *Core) { c.Drain() })
	w.happen(w.rand.IntN(20))
	w.say("stops")
	w.step(func(c *Core) { c.Stop() })
	w.happen(w.rand.IntN(20))
	for w.statements.answerAll(true); len(w.deliveries.suspects) > 0; w.statements.answerAll(true) {
		w.deliveries.prove()
	}
	w.loops.decided, w.deliveries.overdue = nil, nil
	w.say("rests")
	w.step(func(c *Core) { c.Rest() })
	for !w.oneIn(3) {
		w.writers.end()
		w.deliveries.finishAny()
	}
	w.now = w.now.Add(w.upTo(20 * time.Second))
	w.say("starts")
	w.step(func(c *Core) {
		if !c.Start() {
			w.violated("the relay does not rest")
		}
	})
	w.restarting = false
	w.rounds.maybe()
}
