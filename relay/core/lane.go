package core

import (
	"slices"
	"time"
)

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
	before    int      // what turn was before the last pop
	laneLoad
	finished int // runs that have ended, with any answer
	reserved int // hot slots of transactions that are still open
	runs     int // runs of workers, including stuck ones
	stuck    int // those of them whose events were settled without them

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

// Dests returns the destinations that its events may go to.
func (l *Lane) Dests() []*Dest { return l.dests }

// Config returns the lane's configuration.
func (l *Lane) Config() LaneConfig { return l.cfg }

// pop takes hot before cold, 2:1, and either when the other is empty.
func (l *Lane) pop() *Item {
	first, second := &l.hot, &l.cold
	if l.before = l.turn; l.turn == 2 {
		first, second = second, first
	}
	if it := first.pop(); it != nil {
		l.turn = (l.turn + 1) % 3
		return it
	}
	return second.pop()
}

// putBack undoes the last pop. Where the event was only looked at, it must not lose
// its turn: the next batch would look at it again, and so on.
func (l *Lane) putBack(it *Item) {
	l.turn = l.before
	if it.Hot {
		l.hot.putBack(it)
	} else {
		l.cold.putBack(it)
	}
}

// others reports whether an event other than those popped so far is ready.
func (l *Lane) others() bool { return l.hot.any() || l.cold.any() }

// knows adds a destination that was registered after the lane was made.
func (l *Lane) knows(d *Dest) {
	if d != nil && !slices.Contains(l.dests, d) {
		l.dests = append(l.dests, d)
	}
}

// reaches reports whether its events may go to a destination with this breaker.
func (l *Lane) reaches(b *Breaker) bool {
	return slices.ContainsFunc(l.dests, func(d *Dest) bool { return d.breaker == b })
}
