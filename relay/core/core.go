package core

import "time"

// Core is the state of a relay. Its parts share one memory; each has the methods
// that one loop of the relay calls, and knows only the parts that it needs. Call
// the methods of the parts in a [Core.Step]. See the package comment.
type Core struct {
	Lanes     *Lanes     // of the event types
	Dests     *Dests     // destinations, and whether they are available
	Hot       *Hot       // what writers report
	Claims    *Claims    // what to claim, and what was claimed
	Confirms  *Confirms  // rows to look up
	Takes     *Takes     // hot events to claim by id
	Leases    *Leases    // what to renew
	Runs      *Runs      // what runs
	Lone      *Lone      // suspects, which run alone
	Decisions *Decisions // what becomes of events
	Outcomes  *Outcomes  // what to write

	mem        *memory
	pauseAsked time.Time // when people's pauses were asked for that count now
}

// New makes the core of a relay that is at rest.
func New(cfg Config) *Core {
	b := &base{cfg: cfg}
	m := newMemory(b)
	dests := &Dests{memory: m, named: map[string]*Breaker{}}
	decisions := &Decisions{memory: m, dests: dests}
	runs := &Runs{memory: m, decisions: decisions}
	hot := newHot(m)
	return &Core{
		Lanes: m.lanes, Dests: dests, Hot: hot, Claims: &Claims{memory: m, hot: hot}, Confirms: &Confirms{m}, Takes: &Takes{m},
		Leases: &Leases{memory: m, runs: runs}, Runs: runs, Lone: &Lone{memory: m, dests: dests, decisions: decisions},
		Decisions: decisions, Outcomes: &Outcomes{m}, mem: m,
	}
}

// Step makes one step: f tells the parts what happened, and fx gets what to do.
func (c *Core) Step(now time.Time, fx *Effects, f func(c *Core)) {
	b := c.mem.base
	b.now, b.fx = now, fx
	defer c.end()
	f(c)
}

// end starts what has become ready in this step.
func (c *Core) end() {
	b := c.mem.base
	for again := true; again; again = len(b.dirty) > 0 { // a suspect that leaves lets others of its key go on
		for l := b.nextTouched(); l != nil; l = b.nextTouched() {
			c.Runs.dispatch(l)
		}
		c.Lone.next()
	}
	b.fx = nil
}

// Now returns the time of the step.
func (c *Core) Now() time.Time { return c.mem.now }

// Start begins to work. It returns false if the relay is not at rest.
func (c *Core) Start() bool {
	if c.mem.phase != Resting {
		return false
	}
	c.mem.phase = Working
	c.mem.poller.start()
	c.mem.stuck.age()
	return true
}

// Pause pauses these lanes and destinations, and resumes all others. It releases
// their waiting events; running ones finish.
func (c *Core) Pause(p Paused) {
	if p.Asked.Before(c.pauseAsked) {
		return
	}
	c.pauseAsked = p.Asked
	began := c.Lanes.pause(p.Lanes)
	if c.Dests.pause(p.Dests) || began {
		c.mem.giveBackWaiting(func(it *Item) bool { return it.lane.paused || it.Dest.breakerOrNil().isPaused() })
	}
}

// Phase returns the stage of the relay.
func (c *Core) Phase() Phase { return c.mem.phase }

// Quiet reports whether nothing waits or runs and, with rows, nothing is
// unsettled. Runs whose events were settled without them do not count: they may
// never end.
func (c *Core) Quiet(rows bool) bool {
	ld := &c.mem.load
	return ld.waiting == 0 && ld.running == 0 && (!rows || ld.unsettled == 0)
}

// Load returns how many events are in memory.
func (c *Core) Load() Load {
	ld := &c.mem.load
	return Load{ld.waiting, ld.running, ld.unsettled}
}

// Cold returns how many events of the poller wait or run.
func (c *Core) Cold() int { return c.mem.load.cold }

// RunsEnded reports whether the runs that began since the start have ended. It asks
// less than [Core.Running], for a caller that waits for that.
func (c *Core) RunsEnded() bool { return c.mem.load.running == 0 && c.mem.stuck.none() }

// Running returns how many runs have not ended, including stuck ones, and how
// many of them began since the start, by event type.
func (c *Core) Running() (total int, since map[string]int) {
	since = map[string]int{}
	for _, it := range c.mem.book.items {
		if it.state.runs() {
			since[it.lane.Name]++
		}
	}
	c.mem.stuck.count(since)
	return c.mem.load.running + len(c.mem.stuck), since
}
