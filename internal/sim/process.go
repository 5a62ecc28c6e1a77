package sim

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// process is one relay: the real core, and loops that do what those of package
// relay do, one thing at a time.
type process struct {
	world   *world
	name    string
	owner   driver.Owner
	core    *core.Core
	clock   clock
	dead    bool
	thaws   time.Time     // it is frozen until then
	nods    time.Duration // it freezes for that time when it has sent its next claim
	quits   bool          // it takes nothing new
	again   bool          // its Run is started again after its end
	resting bool          // between the two
	stops   bool          // its time to finish is over
	claims  bool          // a claim is under way
	ended   bool          // has shut down
	paused  []string      // destinations and types, at its last look
	knows   bool          // the destination of foreign events

	open []func() // for writers to do while it rests

	claimed, before int // claims that were sent, and those until all was done

	loops map[core.Loops]*loop
	dests map[string]*core.Dest
	runs  map[*core.Run]*delivery
	quiet func() bool // what a shutdown, or a round, waits for
	then  func()
	asked int    // statements without an answer yet
	round *round // it runs rounds, and this is the latest; nil: it runs all the time

	claimWait, holdWait core.Backoff
	firstBatch          int // of leases to renew
}

// The settings of every relay: times are the defaults, but for runs, and numbers are
// small, so that few events reach them.
const (
	lease       = 15 * time.Second
	headStart   = 5 * time.Second
	margin      = headStart / 3
	runTimeout  = 10 * time.Second
	maxAttempts = 4
	maxHeld     = 60
	drain       = 5 * time.Second
	interval    = 5 * time.Second
)

func (w *world) startProcess() {
	w.worked()
	p := w.newProcess(w.chance(0.3) || w.since() >= w.plan.faults)
	p.look()
	p.core.Start()
	p.startLoops()
	p.startTaking()
	p.after(sweepEvery, p.sweep)
}

// newProcess returns a relay that rests.
func (w *world) newProcess(foreign bool) *process {
	p := &process{
		world: w, name: fmt.Sprintf("relay%d", len(w.processes)+1), loops: map[core.Loops]*loop{},
		dests: map[string]*core.Dest{}, runs: map[*core.Run]*delivery{},
		knows: foreign, clock: clock{offset: time.Duration(w.rand.IntN(20)-10) * time.Hour},
	}
	p.owner = driver.Owner(p.name)
	p.core = core.New(core.Config{
		Lease: lease, HeadStart: headStart, Margin: margin, MaxBytes: 64 << 20, MaxHeld: maxHeld, MaxUnsettled: w.plan.maxUnsettled,
		SettleBatch: w.plan.settleBatch, SettleLinger: 5 * time.Millisecond, Tell: true,
	})
	for _, t := range types {
		var dests []*core.Dest
		if t.name != "foreign" || p.knows {
			p.dests[t.name] = p.core.Dests.Add(t.name, t.batches, t.checks, t)
			dests = []*core.Dest{p.dests[t.name]}
		}
		p.core.Lanes.Add(t.name, core.LaneConfig{
			Workers: 3, HotQueue: t.hotQueue, ColdQueue: cmp.Or(t.coldQueue, 100), Batch: t.batch(), DeliverBatch: 5, MaxAttempts: t.attempts,
			Interval: interval, Timeout: t.timeout(), Fair: t.fair,
		}, dests)
	}
	w.processes = append(w.processes, p)
	w.say("%s starts, its clock is off by %s", p.name, p.clock.offset)
	return p
}

// takes reports whether the process takes new events, unless it is frozen.
func (p *process) takes() bool { return !p.dead && !p.quits && p.round == nil }

// now is the time that the process sees.
func (p *process) now() time.Time { return p.clock.read(p.world) }

// after schedules an action of the process: later if it is frozen then, and
// never if it is dead.
func (p *process) after(d time.Duration, do func()) {
	p.world.after(d, func() { p.wakeAndDo(do) })
}

func (p *process) wakeAndDo(do func()) {
	switch {
	case p.dead:
	case p.world.now.Before(p.thaws):
		p.world.after(p.thaws.Sub(p.world.now), func() { p.wakeAndDo(do) })
	default:
		do()
	}
}

// step makes a step of the core, and then does what it asks for.
func (p *process) step(f func(c *core.Core)) {
	fx := &core.Effects{}
	p.core.Step(p.now(), fx, f)
	p.act(fx)
	if p.quiet != nil && p.quiet() {
		then := p.then
		p.quiet, p.then = nil, nil
		p.after(0, then)
	}
}

func (p *process) act(fx *core.Effects) {
	for _, run := range fx.Cancel {
		p.cancelRun(run)
	}
	for _, n := range append(fx.Notes, fx.Turns...) {
		p.hear(n)
	}
	if ds := fx.Decided; len(ds) > 0 { // hooks take their time
		p.after(p.world.between(0, time.Millisecond), func() {
			p.step(func(c *core.Core) { c.Decisions.Told(ds) })
		})
	}
	for bit := core.Loops(1); bit != 0; bit <<= 1 {
		if fx.Wake&bit != 0 {
			p.loops[bit].wake()
		}
	}
	for _, run := range fx.Overdue {
		p.giveUp(run)
	}
	if fx.Lone != nil {
		p.proveLone(fx.Lone)
	}
	for _, run := range fx.Runs {
		p.deliver(run)
	}
	p.world.ledger.bounds(p)
}

func (p *process) hear(n core.Note) {
	switch n.Kind {
	case core.NoteBug:
		if p.world.say("%s: the core complains: %s", p.name, n.Text); !p.world.options.LedgerOnly {
			p.world.ledger.violated("no mistake of the core", "%s: %s", p.name, n.Text)
		}
	case core.NoteAway, core.NoteBack, core.NoteHalfOpen:
		p.world.say("%s: %s is %s", p.name, n.Target, map[core.NoteKind]string{
			core.NoteAway: "away", core.NoteBack: "back", core.NoteHalfOpen: "half open",
		}[n.Kind])
	case core.NoteAbandoned:
		p.world.say("%s: the outcome of %s is abandoned", p.name, n.EventID)
		if !p.world.plan.refuseDead || n.Outcome != driver.Dead {
			p.world.ledger.violated("only what the database refuses is abandoned", "%s of %s by %s", n.Outcome, n.EventID, p.name)
		}
		p.world.ledger.excuse(n.EventID, "its outcome was refused")
		p.world.ledger.settles(p, n.EventID)
	case core.NoteStuck:
		p.world.say("%s: the run of %s is stuck", p.name, n.EventID)
	}
}

// kill ends the process at once. What it has sent still arrives.
func (p *process) kill() {
	p.world.say("%s is killed", p.name)
	p.dead = true
}

// stall freezes the process now, when it has sent its next claim, or both: it may
// then claim again what it runs, and lose that too.
func (p *process) stall() {
	w := p.world
	moment := func() time.Duration {
		if w.chance(0.5) {
			return lease + w.between(0, lease)
		}
		return w.between(10*time.Millisecond, 40*time.Second)
	}
	if w.chance(0.5) {
		p.nods = moment()
	}
	if p.nods == 0 || w.chance(0.6) {
		p.freeze(moment())
	}
}

// freeze freezes the process.
func (p *process) freeze(d time.Duration) {
	p.world.say("%s stands still for %s", p.name, d)
	p.thaws = p.world.now.Add(d)
}

// shutDown does what the end of the context does to a relay.
func (p *process) shutDown() {
	w := p.world
	w.say("%s shuts down", p.name)
	p.quits = true
	p.step(func(c *core.Core) { c.Drain(); c.Outcomes.Hurry(true) })
	p.awaitClaim(p.finish)
}

// awaitClaim waits for the claim that is under way, as a shutdown does.
func (p *process) awaitClaim(then func()) {
	if p.claims {
		p.after(time.Millisecond, func() { p.awaitClaim(then) })
		return
	}
	then()
}

// finish ends the process when it has nothing left to do.
func (p *process) finish() {
	w := p.world
	p.await(drain*4/5, false, func() {
		p.stops = true
		p.step(func(c *core.Core) { c.Stop() })
		p.await(drain/5, true, func() {
			w.say("%s has shut down", p.name)
			p.resting = true
			w.ledger.shutDown(p)
			w.ledger.leftToLeases(p)
			if p.again {
				p.awaitAnswers(p.rest)
				return
			}
			p.ended, p.dead = true, true
		})
	})
}

// await goes on when nothing is left to do, or when the time is over.
func (p *process) await(d time.Duration, rows bool, then func()) {
	p.awaitOver(d, func() bool { return p.core.Quiet(rows) }, then)
}

func (p *process) awaitOver(d time.Duration, over func() bool, then func()) {
	gone := false
	once := func() {
		if !gone {
			gone = true
			p.quiet, p.then = nil, nil
			then()
		}
	}
	p.quiet, p.then = over, once
	p.after(d, once)
	p.step(func(*core.Core) {})
}
