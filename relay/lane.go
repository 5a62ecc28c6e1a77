package relay

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// lane is the queues and limits of one event type. It is guarded by the
// relay's mutex.
type lane struct {
	name   string
	cfg    LaneConfig
	paused bool

	hot, cold queue // ready to run
	turn      int   // of the 2:1 between them
	hotWait   int   // hot events in memory that do not run yet
	coldWait  int
	claimed   int // events of the poller in memory
	finished  int // runs that came to an end, with whatever answer
	reserved  int // hot slots of transactions that are still open
	bytes     int // of the payloads in memory
	workers   int // goroutines
	runs      int // of them, those that are in a run

	dispatching bool // workers are being started for it
	badPolicy   bool // its retry policy panicked, which is logged once

	overflow       int // events that found the hot queue full and are not logged yet
	overflowLogged time.Time

	poll pollState
}

// pollState is what the poller remembers of a lane.
type pollState struct {
	batch    int             // rows to ask for; grows while the lane is behind
	at       outbox.Position // where the lane was read up to
	next     time.Time       // when to ask again unless woken
	again    bool            // the last claim found rows
	full     bool            // the last claim found all it asked for
	lastHead time.Time       // when the lane was last read from the head
	headCost time.Duration   // how long that took
	tailCost time.Duration   // how long it took last to read on
	due      []time.Time     // when rows that were put off here are due, earliest first
	avgSize  int             // of the rows found lately
}

// lane returns the lane of that type, made if need be, or nil if this relay
// does not handle the type.
func (r *Relay) lane(name string) *lane {
	if l := r.lanes[name]; l != nil {
		return l
	}
	if r.cfg.Unroutable == UnroutableWait && !r.reg.Covers(name) {
		return nil
	}
	l := &lane{name: name, cfg: r.cfg.laneConfig(name)}
	l.paused = r.paused[name] || r.paused["*"]
	l.poll.batch = l.leastRows()
	r.lanes[name] = l
	return l
}

func (l *lane) ready() int { return l.hot.len() + l.cold.len() }

// pop takes hot before cold, 2:1, and either when the other is empty.
func (l *lane) pop() *item {
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

// wait counts it among the events that do not run yet, or no longer.
func (r *Relay) wait(it *item, n int) {
	if it.hot {
		it.lane.hotWait += n
	} else {
		it.lane.coldWait += n
		if n < 0 && it.lane.poll.again && it.lane.room() == it.lane.threshold() {
			r.pollWake.signal()
		}
	}
	r.queued += n
}

// enqueue takes an event into memory.
func (r *Relay) enqueue(it *item) {
	it.state = queued
	r.held[it.held.EventID] = it
	r.holds(it, 1)
	r.weigh(it.lane, it.size)
	r.wait(it, 1)
	r.line(it)
}

// line makes it ready, or puts it behind others of its aggregate.
func (r *Relay) line(it *item) {
	if k, ok := it.key(); ok {
		q, busy := r.keys[k]
		if busy {
			if q == nil {
				q = &queue{}
				r.keys[k] = q
			}
			q.push(it)
			return
		}
		r.keys[k] = nil
		it.holdsKey = true
	}
	r.ready(it)
}

func (r *Relay) ready(it *item) { r.queueOf(it).push(it) }

// readyFront puts back what was taken out and not run.
func (r *Relay) readyFront(it *item) { r.queueOf(it).pushFront(it) }

// queueOf is where an event waits for a worker.
func (r *Relay) queueOf(it *item) *queue {
	switch {
	case it.suspect():
		return &r.suspects
	case it.hot:
		return &it.lane.hot
	default:
		return &it.lane.cold
	}
}

// passKey lets the next of the aggregate run.
func (r *Relay) passKey(it *item) {
	if !it.holdsKey {
		return
	}
	it.holdsKey = false
	k, _ := it.key()
	if q := r.keys[k]; q != nil {
		if next := q.pop(); next != nil {
			next.holdsKey = true
			r.ready(next)
			r.dispatch(next.lane)
			return
		}
	}
	delete(r.keys, k)
}

// drop forgets an event that waits: somebody else has it, or will.
func (r *Relay) drop(it *item) {
	r.wait(it, -1)
	it.state = dropped
	r.forget(it)
	r.passKey(it)
}

// forget ends the bookkeeping of an event that is out of the queues.
func (r *Relay) forget(it *item) {
	r.weigh(it.lane, -it.size)
	it.size = 0
	if r.held[it.held.EventID] != it {
		return
	}
	delete(r.held, it.held.EventID)
	r.holds(it, -1)
	if next := it.next; next != nil {
		it.next = nil
		r.enqueue(next)
		r.carryOn(next)
	}
}

// weigh counts payload bytes that came or went.
func (r *Relay) weigh(l *lane, n int) {
	l.bytes += n
	r.bytes += n
}

// laneBytes is what every lane may hold whatever the others do: a lane that
// fills the memory must not keep the others from their next event.
const laneBytes = 2 * outbox.MaxPayload

// spare is how many more payload bytes the lane may take: no lane more than
// half of all, so that one alone cannot use up what is there for all.
func (r *Relay) spare(l *lane) int {
	return max(min(r.cfg.MaxBytes-r.bytes, r.cfg.MaxBytes/2-l.bytes), laneBytes-l.bytes)
}
