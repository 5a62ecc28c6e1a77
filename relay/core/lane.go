package core

import "time"

// LaneConfig configures one lane.
type LaneConfig struct {
	Workers, HotQueue, ColdQueue, Batch, DeliverBatch, MaxAttempts int
	// Fair divides claims and runs among tenants.
	Fair bool

	Interval, Timeout time.Duration
}

// Lane is the queues and limits of one event type.
type Lane struct {
	Name   string
	cfg    LaneConfig
	dests  []*Dest // of its events
	paused bool
	dirty  bool

	hot, cold rotation // ready to run
	turn      int      // counts for the ratio of 2:1
	hotWait   int      // hot events that wait
	coldWait  int
	lined     int // those of them behind others of their key
	held      int // events of the poller in memory
	finished  int // runs that have ended, with any answer
	reserved  int // hot slots of transactions that are still open
	bytes     int // of the payloads in memory
	runs      int // runs of workers, including stuck ones
	stuck     int // those of them whose events were settled without them

	overflow overflow
	poll     position
	pace     pace
	tally    tally
}

// shut reports whether nothing of the lane can run here: it is paused, or all
// its workers are stuck. What waits is for other relays.
func (l *Lane) shut() bool { return l.paused || l.stuck >= l.cfg.Workers }

// Workers is how many runs it may have at once.
func (l *Lane) Workers() int { return l.cfg.Workers }

// Lane returns the lane of that type, or nil.
func (c *Core) Lane(name string) *Lane { return c.lanes[name] }

// AddLane adds the lane of a type, with the destinations that its events may
// have. If the lane exists, nothing changes.
func (c *Core) AddLane(name string, cfg LaneConfig, dests []*Dest) *Lane {
	if l := c.lanes[name]; l != nil {
		return l
	}
	l := &Lane{Name: name, cfg: cfg, dests: dests, pace: newPace(c.cfg.Lease / 4)}
	l.hot.fair, l.cold.fair = cfg.Fair, cfg.Fair
	l.paused = c.paused[name] || c.paused["*"]
	l.poll.batch = l.leastRows()
	c.lanes[name] = l
	c.poller.add(l)
	return l
}

// Lanes calls f for each lane, in the order they were added.
func (c *Core) Lanes(f func(*Lane)) {
	for _, l := range c.poller.lanes {
		f(l)
	}
}

// Dests returns the destinations that its events may go to.
func (l *Lane) Dests() []*Dest { return l.dests }

// Config returns the lane's configuration.
func (l *Lane) Config() LaneConfig { return l.cfg }

// pop takes hot before cold, 2:1, and either when the other is empty.
func (l *Lane) pop() *Item {
	first, second := &l.hot, &l.cold
	if l.turn == 2 {
		first, second = second, first
	}
	if it := first.pop(); it != nil {
		l.turn = (l.turn + 1) % 3
		return it
	}
	return second.pop()
}

// others reports whether an event other than those popped so far is ready.
func (l *Lane) others() bool { return l.hot.any() || l.cold.any() }

// ready makes an event wait for a worker.
func (c *Core) ready(it *Item) {
	c.move(it, Ready)
	c.queueOf(it).push(it)
	c.touch(it.lane)
}

// readyFront puts back what was taken out and not run.
func (c *Core) readyFront(it *Item) {
	if it.state != Ready {
		c.move(it, Ready)
	}
	c.queueOf(it).pushFront(it)
	c.touch(it.lane)
}

// waiting is where events wait for a worker.
type waiting interface {
	push(it *Item)
	pushFront(it *Item)
}

// queueOf is where an event waits for a worker.
func (c *Core) queueOf(it *Item) waiting {
	switch {
	case it.suspect():
		return &c.suspects.queue
	case it.Hot:
		return &it.lane.hot
	default:
		return &it.lane.cold
	}
}

// touch makes the end of the step check the lane.
func (c *Core) touch(l *Lane) {
	if !l.dirty {
		l.dirty = true
		c.dirty = append(c.dirty, l)
	}
}

// touchAll makes it check every lane that may have something to start.
func (c *Core) touchAll() {
	for _, l := range c.poller.lanes {
		if !l.hot.empty() || !l.cold.empty() {
			c.touch(l)
		}
	}
}
