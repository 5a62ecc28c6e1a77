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
	stalls bool // waits until an outcome is written

	queued backlog // ready to run
	laneLoad
	reserved int // hot slots of transactions that are still open
	work     work

	overflow overflow
	poll     position
	tally    tally
}

func newLane(name string, cfg LaneConfig, dests []*Dest, pace pace) *Lane {
	l := &Lane{Name: name, cfg: cfg, dests: dests, work: work{pace: pace}}
	l.poll.start(l.leastRows())
	l.rest()
	return l
}

// rest empties the queues, and forgets how far the lane was read.
func (l *Lane) rest() {
	l.queued = newBacklog(l.cfg.Fair)
	l.poll.rest()
}

// mark says that the lane may have something to start, and reports false if that was
// said before.
func (l *Lane) mark() bool {
	was := l.dirty
	l.dirty = true
	return !was
}

func (l *Lane) unmark() { l.dirty = false }

// stall notes whether the lane waits for outcomes to be written, and reports whether
// that is new.
func (l *Lane) stall(stalls bool) bool {
	was := l.stalls
	l.stalls = stalls
	return was != stalls
}

func (l *Lane) pause(paused bool) { l.paused = paused }

// reserve counts hot slots that are taken, or given back.
func (l *Lane) reserve(n int) { l.reserved += n }

// shut reports whether nothing of the lane can run here: it is paused, or all
// its workers are stuck. What waits is for other relays.
func (l *Lane) shut() bool { return l.paused || l.work.stuck >= l.cfg.Workers }

// Dests returns the destinations that its events may go to.
func (l *Lane) Dests() []*Dest { return l.dests }

// Config returns the lane's configuration.
func (l *Lane) Config() LaneConfig { return l.cfg }

// knows adds a destination that was registered after the lane was made.
func (l *Lane) knows(d *Dest) {
	if d != nil && !slices.Contains(l.dests, d) {
		l.dests = append(l.dests, d)
	}
}

// mixed reports whether waiting events may go to different destinations, or to none.
func (l *Lane) mixed() bool { return len(l.dests) > 1 || l.strays > 0 }

// reaches reports whether its events may go to a destination with this breaker.
func (l *Lane) reaches(b *Breaker) bool {
	return slices.ContainsFunc(l.dests, func(d *Dest) bool { return d.breaker == b })
}
