package sim

import (
	"math/rand/v2"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// round is one call of RunOnce.
type round struct {
	began time.Time
	ended bool
	cut   bool           // it was stopped, or a claim failed
	due   []due          // at its beginning
	tried map[string]int // by event id
}

// due is an event that waited when a round began, and the number of its last
// claim.
type due struct {
	r  *record
	no int64
}

// longestRound bounds a round where neither the database nor a process fails: runs
// that time out one after the other, and a margin.
const longestRound = 90 * time.Second

// unbounded is longer than a schedule takes.
const unbounded = 24 * time.Hour

// travel bounds the way of a claim to the database, and of the list of tenants
// before it: what is written in the meantime may be claimed.
const travel = 100 * time.Millisecond

// planRounds lets a program call RunOnce again and again in some schedules, beside
// the relays or in place of them. It has a chance of its own, so that the others
// stay as they are.
func (w *world) planRounds() {
	chance := rand.New(rand.NewPCG(w.seed, 44))
	if w.plan.class == Crashes || chance.IntN(3) != 0 {
		return
	}
	if chance.IntN(2) == 0 {
		w.plan.relays = 0
	}
	w.after(time.Duration(chance.Int64N(int64(10*time.Second))), func() {
		p := w.newProcess(true)
		p.round = &round{ended: true}
		p.startLoops()
		p.loops[core.PollLoop] = &loop{p: p, body: p.pollRound}
		p.beginRound()
	})
	for range chance.IntN(3) { // its context ends
		w.after(time.Duration(chance.Int64N(int64(w.plan.faults))), func() {
			for _, p := range w.processes {
				if p.round != nil {
					p.wakeAndDo(p.cutRound)
				}
			}
		})
	}
}

// rests reports whether the process is between two rounds, or between two runs, and
// lets the loop wait.
func (p *process) rests(which core.Loops) bool {
	if !p.resting && (p.round == nil || !p.round.ended) {
		return false
	}
	p.loops[which].nap(10 * time.Millisecond)
	return true
}

func (p *process) beginRound() {
	w := p.world
	w.worked()
	p.stops = false
	p.round = &round{began: w.now, tried: map[string]int{}}
	w.say("%s: a round begins", p.name)
	w.ledger.roundBegins(p)
	p.core.Start()
	p.step(func(c *core.Core) { c.Claims.BeginRound(); c.Outcomes.Hurry(true) })
	if w.plan.paused != "" {
		p.lookOnce()
	}
	p.probeRound(p.pollRound)
}

// probeRound probes what is due, and waits for the answers.
func (p *process) probeRound(then func()) {
	var due []*core.Breaker
	p.step(func(c *core.Core) { due, _ = c.Dests.Due() })
	left := len(due)
	if left == 0 {
		then()
		return
	}
	for _, b := range due {
		took, err := b.Target.(*eventType).check(p.world)
		p.after(took, func() {
			p.step(func(c *core.Core) { c.Dests.Probed(b, err) })
			if left--; left == 0 {
				then()
			}
		})
	}
}

func (p *process) pollRound() {
	if p.round.cut {
		p.endRound(false)
		return
	}
	var pl core.Polling
	p.step(func(c *core.Core) { pl = c.Claims.NextOfRound() })
	if len(pl.Wants) > 0 {
		p.claims = true
		p.divide(pl, nil, p.claim)
		return
	}
	if pl.Wait > 0 {
		p.loops[core.PollLoop].nap(pl.Wait)
		return
	}
	p.core.Drain()
	p.hurry(unbounded, func() bool { return p.round.cut || p.core.Quiet(true) }, func() { p.endRound(!p.round.cut) })
}

// hurry waits, and lets outcomes be written without delay.
func (p *process) hurry(d time.Duration, over func() bool, then func()) {
	p.step(func(c *core.Core) { c.Outcomes.Hurry(true) })
	p.awaitOver(d, over, func() {
		p.step(func(c *core.Core) { c.Outcomes.Hurry(false) })
		then()
	})
}

// cutRound does what the end of its context does to a round.
func (p *process) cutRound() {
	if p.dead || p.round.ended || p.round.cut {
		return
	}
	p.world.say("%s: the round is cut short", p.name)
	p.round.cut = true
	p.step(func(*core.Core) {})
	p.loops[core.PollLoop].wake()
}

// endRound settles what is left, forgets everything, and begins another round soon.
// The round is whole if it ended by itself.
func (p *process) endRound(whole bool) {
	p.core.Drain()
	if p.round.cut {
		p.stopRound(whole)
		return
	}
	p.await(drain*4/5, false, func() { p.stopRound(whole) }) // after an error something may be left
}

func (p *process) stopRound(whole bool) {
	w := p.world
	p.stops = true
	p.step(func(c *core.Core) { c.Stop() })
	p.hurry(drain, func() bool { return p.core.Quiet(true) }, func() {
		p.round.ended = true // the loops take nothing more
		w.ledger.leftToLeases(p)
		p.awaitAnswers(func() {
			if whole {
				w.ledger.roundEnds(p)
			}
			w.say("%s: the round has ended", p.name)
			p.step(func(c *core.Core) { c.Rest() })
			w.ledger.forgets(p)
			p.after(w.between(100*time.Millisecond, 5*time.Second), p.beginRound)
		})
	})
}

// awaitAnswers waits for the statements that are under way.
func (p *process) awaitAnswers(then func()) {
	if p.asked > 0 {
		p.after(time.Millisecond, func() { p.awaitAnswers(then) })
		return
	}
	then()
}

// roundBegins notes what is due: events of types that never fail, which nobody
// holds.
func (l *ledger) roundBegins(p *process) {
	for _, r := range l.order {
		owner, until, no, pending, found := l.w.store.Peek(r.id)
		free := owner == "" || !until.After(l.w.now)
		well := r.kind == "placed" || r.kind == "cancelled" || r.kind == "batched"
		ripe := !r.committed.IsZero() && l.w.now.Sub(r.committed) > headStart && r.first.IsZero()
		if found && pending && free && well && ripe && !r.putOff && !r.locked && r.exempt == "" && r.kind != l.w.plan.paused {
			p.round.due = append(p.round.due, due{r, no})
		}
	}
}

// roundEnds is called when a round has ended by itself.
func (l *ledger) roundEnds(p *process) {
	if !l.calm() {
		return
	}
	for _, d := range p.round.due {
		_, _, no, pending, _ := l.w.store.Peek(d.r.id)
		if pending && no == d.no && d.r.first.IsZero() && !d.r.locked && d.r.exempt == "" {
			l.violated("a round delivers what was due when it began", "%s by %s", d.r.id, p.name)
		}
	}
}

// onceInRound is called when an event runs in a round.
func (l *ledger) onceInRound(p *process, it *core.Item) {
	id := it.Held().EventID
	if p.round.tried[id]++; p.round.tried[id] > 1 && l.calm() && l.events[id].exempt == "" {
		l.violated("a round tries each event once", "%s by %s", id, p.name)
	}
}

// roundsEnded looks for rounds that do not end although all faults are over.
func (l *ledger) roundsEnded() {
	for _, p := range l.w.processes {
		if p.round != nil && !p.dead && !p.round.ended && l.w.now.Sub(p.round.began) > longestRound {
			l.violated("a round ends", "%s has run one since %s", p.name, p.round.began.Sub(l.w.start))
		}
	}
}
