package sim

import (
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/sendoff-go/outbox"
)

// GCPercent suits the garbage collector to schedules, see [runtime/debug.SetGCPercent]: a
// world is small, and would be collected all the time.
const GCPercent = 800

// Result is the result of one schedule.
type Result struct {
	Seed       uint64
	Class      Class
	Events     int
	Deliveries int
	Steps      int
	Violations []string
}

// Err is nil if every law was kept.
func (r Result) Err() error {
	if len(r.Violations) == 0 {
		return nil
	}
	return fmt.Errorf("%w in a schedule of class %s; seed %d gives it again: %s", errViolated, r.Class, r.Seed, r.Violations[0])
}

// ClassOf returns the class of a seed's schedule: all are equally frequent.
func ClassOf(seed uint64) Class { return Class(seed % uint64(classes)) }

// Options of a run have a useful zero value.
type Options struct {
	// Trace is told what happens. Default: nobody.
	Trace io.Writer
	// LedgerOnly ignores what the core says about its own mistakes, to test that the
	// ledger finds them from outside.
	LedgerOnly bool
}

// Run plays the schedule of a seed.
func Run(seed uint64, o Options) Result {
	class := ClassOf(seed)
	w := newWorld(seed, class, o)
	w.say("seed %d: %s, %d relays, %d events", seed, class, w.plan.relays, w.plan.events)
	backlog := class == Clean && w.chance(0.2)
	if backlog {
		w.writeBacklog()
	}
	w.planRounds()
	for range w.plan.relays {
		w.after(w.between(0, 3*time.Second), func() { w.startProcess() })
	}
	for left := w.plan.events; left > 0; {
		n := min(1+w.rand.IntN(4), left)
		left -= n
		w.after(w.between(0, w.plan.faults), func() { w.write(n) })
	}
	if w.plan.sticks {
		w.after(w.between(0, 10*time.Second), w.writeStuck)
	}
	if class <= Destinations && !backlog && w.chance(0.3) {
		w.after(w.between(0, 20*time.Second), w.writeJam)
	}
	if class == Crashes {
		w.after(w.between(0, 10*time.Second), w.writePoison)
	}
	if class == Locks {
		for at := time.Duration(0); at < w.plan.faults; at += time.Second + w.between(0, 2*time.Second) {
			w.after(at, func() { w.writeAll(outbox.Event{Type: "quick"}) })
		}
	}
	if w.plan.foreign {
		w.after(w.plan.faults, w.deploy)
	}
	w.planTrouble()
	w.planPauses()
	w.planClocks()
	w.play()
	r := Result{Seed: seed, Class: class, Events: len(w.ledger.order), Steps: w.steps, Violations: w.ledger.violations}
	for _, e := range w.ledger.order {
		r.Deliveries += e.deliveries
	}
	return r
}

// play plays the schedule that is planned, until everything is delivered.
func (w *world) play() {
	defer func() {
		if p := recover(); p != nil {
			w.say("%s", debug.Stack())
			w.ledger.violated("a relay does not panic", "%v", p)
		}
	}()
	end := w.start.Add(w.plan.end)
	look := w.start.Add(w.plan.faults + 25*time.Second)
	for len(w.ledger.violations) == 0 && w.step(end) {
		if w.now.After(look) {
			if look = w.now.Add(time.Second); w.ledger.finished() {
				end = w.now
			}
		}
	}
	if len(w.ledger.violations) == 0 {
		w.now = end
		w.ledger.final()
	}
	if len(w.ledger.violations) == 0 {
		w.rest()
	}
}

// planTrouble decides when processes end, freeze or start.
func (w *world) planTrouble() {
	within := w.plan.faults
	deployments := w.rand.IntN(3)
	again := 0.4
	if w.plan.class == Clean && w.plan.relays == 1 {
		deployments, again = w.rand.IntN(8), 0.9
	}
	if w.plan.sticks && w.plan.relays == 1 { // another relay would run what waits
		deployments = 0
	}
	for range deployments {
		w.after(w.between(time.Second, within), func() {
			switch p := w.living(); {
			case p == nil || p.round != nil:
			case w.plan.class == Recoveries || w.chance(again):
				p.restart()
			default:
				w.startProcess()
				p.shutDown()
			}
		})
	}
	w.planLocks()
	if w.plan.class != Storm {
		return
	}
	for range w.rand.IntN(4) {
		w.after(w.between(0, within), func() {
			if p := w.living(); p != nil {
				p.kill()
				w.after(w.between(0, 5*time.Second), func() { w.startProcess() })
			}
		})
	}
	for range 1 + w.rand.IntN(4) {
		w.after(w.between(0, within), func() {
			if p := w.living(); p != nil {
				p.stall()
			}
		})
	}
}

// crash ends a process as a listener that exits would, and starts another.
func (w *world) crash(p *process) {
	if !p.dead {
		p.kill()
		w.after(w.between(0, 3*time.Second), func() { w.startProcess() })
	}
}

// living returns a process that works, or nil.
func (w *world) living() *process {
	var ps []*process
	for _, p := range w.processes {
		if !p.dead && !p.quits && !w.now.Before(p.thaws) {
			ps = append(ps, p)
		}
	}
	if len(ps) == 0 {
		return nil
	}
	return ps[w.rand.IntN(len(ps))]
}
