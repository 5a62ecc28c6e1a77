package sim

import "time"

// Class is what may go wrong in a schedule. The promises to check depend on it.
type Class int

// The classes.
const (
	// Clean: nothing goes wrong, though everything takes its time.
	Clean Class = iota
	// Destinations refuse, hang and have outages; the rest works.
	Destinations
	// Locks: other sessions lock rows, and some claims and settles fare badly.
	Locks
	// Outages: the database has outages, and answers are lost.
	Outages
	// Storm: everything, and processes are killed and frozen.
	Storm
	// Crashes: an event ends every process that runs it.
	Crashes
	// Recoveries: one relay, whose Run ends and is started again, on a database
	// that has outages and refuses to write dead letters.
	Recoveries
	classes
)

// String is the name of the class.
func (c Class) String() string {
	return [...]string{"clean", "destinations", "locks", "outages", "storm", "crashes", "recoveries"}[c]
}

// plan is what goes wrong when.
type plan struct {
	class  Class
	relays int
	events int
	faults time.Duration // no fault begins after that
	end    time.Duration // everything is delivered by then

	loseRequest, loseAnswer, repeat, slow float64 // of a call to the database
	failClaim, slowSettle                 float64 // of these calls alone

	refuseDead bool // the database writes no dead letters while faults last
	elsewhere  bool // the writers are other processes

	settleTimeout time.Duration
	lockWait      time.Duration // of a statement that meets a locked row
	settleBatch   int
	maxUnsettled  int

	down []window // of the database
	away []window // outages of the destination that has some

	paused string   // the destination or type that a person pauses; "": none
	lane   bool     // it is the type
	pauses []window // when

	foreign bool // some events have no destination in some relays
	discard bool // delivered rows are deleted at once

	sticks bool   // one run never ends
	stuck  string // its event; "": none yet
	jam    string // the event whose run takes long, with others of its key behind it; "": none
	poison string // the event that ends its process; "": none
}

type window struct{ from, to time.Duration }

func (ws windows) at(t time.Duration) bool {
	for _, w := range ws {
		if t >= w.from && t < w.to {
			return true
		}
	}
	return false
}

type windows []window

// settleDown is how long after the last fault everything is delivered: a lease,
// the longest pause between probes, the retries of an event that fails, and the
// pauses of the loops.
const settleDown = 4 * time.Minute

func makePlan(w *world, class Class) plan {
	p := plan{class: class, relays: 1 + w.rand.IntN(3), events: 30 + w.rand.IntN(120), faults: 40 * time.Second,
		settleTimeout: statementTimeout, lockWait: time.Second, settleBatch: 20, maxUnsettled: 1000}
	if class == Clean && w.chance(0.5) {
		p.relays = 1
	}
	if class != Locks && class != Recoveries && w.chance(0.3) { // rows that are locked stay unsettled
		p.maxUnsettled = 5 + w.rand.IntN(20)
	}
	p.foreign, p.discard = w.chance(0.15), w.chance(0.2)
	if p.sticks = class == Destinations && w.chance(0.5); p.sticks && w.chance(0.7) {
		p.relays = 1
	}
	storm := class == Storm
	if class == Destinations || storm {
		for range 1 + w.rand.IntN(3) {
			p.away = append(p.away, w.window(p.faults, 20*time.Second))
		}
	}
	if class == Locks {
		p.relays = 1 + w.rand.IntN(2)
		p.failClaim, p.slowSettle, p.settleTimeout, p.settleBatch = 0.05, 0.05, 20*time.Second, 2+w.rand.IntN(6)
	}
	if class == Outages || storm {
		p.loseRequest, p.loseAnswer, p.slow = 0.02, 0.03, 0.02
		p.repeat = 0.01
		for range w.rand.IntN(3) {
			p.down = append(p.down, w.window(p.faults, 25*time.Second))
		}
	}
	if class == Recoveries {
		p.relays = 1
		for from := w.between(0, 10*time.Second); from < p.faults; from += w.between(20*time.Second, 40*time.Second) {
			p.down = append(p.down, window{from, from + w.between(8*time.Second, 14*time.Second)})
		}
		p.refuseDead, p.elsewhere, p.failClaim = w.chance(0.7), w.chance(0.5), 0.1
	}
	if class == Crashes {
		p.end = 2 * time.Minute // six leases and more
	}
	p.end += p.faults + 25*time.Second + settleDown
	return p
}

func (w *world) window(within, longest time.Duration) window {
	from := w.between(0, within)
	return window{from, from + w.between(100*time.Millisecond, longest)}
}

// faulty reports whether random faults may happen now.
func (w *world) faulty() bool { return w.since() < w.plan.faults }

// databaseDown reports whether the database does not answer now.
func (w *world) databaseDown() bool { return windows(w.plan.down).at(w.since()) }
