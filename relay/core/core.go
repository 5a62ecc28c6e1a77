package core

import "time"

// Config is the part of the relay's settings that a Core needs.
type Config struct {
	Lease, HeadStart, Margin time.Duration

	MaxBytes, MaxHeld, MaxUnsettled int

	SettleBatch  int
	SettleLinger time.Duration

	// Unroutable is what happens to events without a destination.
	Unroutable Unroutable
	// Tell makes every outcome wait for [Core.Told].
	Tell bool
	// KeepDead keeps a dead event until its outcome is written.
	KeepDead bool
	// TellHot asks for a note of each event that enters a hot queue.
	TellHot bool
}

// Unroutable is what happens to events without a destination.
type Unroutable int

// The values of [Config.Unroutable].
const (
	UnroutableWait  Unroutable = iota // left to another relay
	UnroutableRetry                   // a failed attempt
	UnroutableDead                    // given up at once
)

// Phase is the stage of the relay between its start and its end.
type Phase uint8

// The phases.
const (
	Resting  Phase = iota
	Working        // takes, runs and settles
	Draining       // takes nothing new, finishes what it has
	Stopping       // starts nothing
)

// Core is the state of a relay. See the package comment.
type Core struct {
	cfg   Config
	phase Phase

	lanes    map[string]*Lane
	paused   map[string]bool
	lines    lines
	book     book
	breakers breakers
	slots    slots
	refusals refusals
	absent   unreported
	suspects suspects
	outcomes outcomes
	confirms confirms
	stuck    map[string]*Item // events that were settled while their run goes on
	poller   poller
	round    *round // of RunOnce; nil: none
	counts   [5]int // outcomes by kind
	load     load

	// These belong to the current step.
	now   time.Time
	fx    *Effects
	dirty []*Lane // may have something to start
}

// New makes the core of a relay that is at rest.
func New(cfg Config) *Core {
	c := &Core{
		cfg: cfg, lanes: map[string]*Lane{}, lines: lines{}, book: newBook(), breakers: newBreakers(),
		refusals: newRefusals(), stuck: map[string]*Item{},
	}
	c.poller = newPoller(&c.cfg, &c.load)
	c.outcomes.cfg = &c.cfg
	c.slots = newSlots(&c.load)
	return c
}

// begin starts a step, and end ends it.
func (c *Core) begin(now time.Time, fx *Effects) { c.now, c.fx = now, fx }

// end starts what has become ready in this step.
func (c *Core) end() {
	for again := true; again; again = len(c.dirty) > 0 { // a suspect that leaves lets others of its key go on
		for len(c.dirty) > 0 {
			l := c.dirty[len(c.dirty)-1]
			c.dirty = c.dirty[:len(c.dirty)-1]
			l.dirty = false
			c.dispatch(l)
		}
		c.dispatchSuspect()
	}
	c.fx = nil
}

// Start begins to work. It returns false if the relay is not at rest.
func (c *Core) Start(now time.Time) bool {
	if c.phase != Resting {
		return false
	}
	c.phase = Working
	c.poller.recovering = time.Time{}
	for _, it := range c.stuck {
		it.earlier = true
	}
	for _, l := range c.poller.lanes {
		c.poller.wake(l)
	}
	for _, b := range c.breakers.list {
		b.busy = false // of a run that outlived the last shutdown
		b.probing = false
	}
	return true
}

// Phase returns the stage of the relay.
func (c *Core) Phase() Phase { return c.phase }

// Quiet reports whether nothing waits or runs and, with rows, nothing is
// unsettled. Runs whose events were settled without them do not count: they may
// never end.
func (c *Core) Quiet(rows bool) bool {
	return c.load.waiting == 0 && c.load.running == 0 && (!rows || c.load.unsettled == 0)
}

// Counts returns the number of outcomes so far, by kind.
func (c *Core) Counts() [5]int { return c.counts }

// Running returns how many runs have not ended, including stuck ones, and how
// many of them began since the start, by event type.
func (c *Core) Running() (total int, since map[string]int) {
	since = map[string]int{}
	for _, it := range c.book.items {
		if it.state.runs() {
			since[it.lane.Name]++
		}
	}
	for _, it := range c.stuck {
		if !it.earlier {
			since[it.lane.Name]++
		}
	}
	return c.load.running + len(c.stuck), since
}

// Cold returns how many events of the poller wait or run.
func (c *Core) Cold() int { return c.load.cold }
