package core

// load is how many events are in memory, by what they do there, and their size.
// Only memory.move changes a state, and counts here.
type load struct {
	waiting, running, unsettled int

	cold  int // events of the poller that wait or run
	bytes int // payloads that wait, run, or are about to be written
}

// Load is how many events a relay has in memory.
type Load struct{ Waiting, Running, Unsettled int }

// laneLoad is the same for one lane.
type laneLoad struct {
	hotWait  int // hot events that wait
	coldWait int
	blocked  int // those of them that wait for others: of their key, or to run alone
	strays   int // events that wait and have no destination here
	held     int // events of the poller that wait or run
	running  int
	open     int // events with an outcome that is not written yet
	bytes    int // of the payloads in memory
}

// count adds n events in that state.
func (ld *load) count(it *Item, s State, n int) {
	l := it.lane
	switch {
	case s.waits():
		ld.waiting += n
		if it.Dest == nil {
			l.strays += n
		}
		if it.Hot {
			l.hotWait += n
		} else {
			l.coldWait += n
			ld.cold += n
			if s == Lined || it.suspect() {
				l.blocked += n
			}
		}
		ld.weigh(l, n*it.size)
	case s.runs():
		ld.running += n
		l.running += n
		if !it.Hot {
			ld.cold += n
		}
		ld.weigh(l, n*it.size)
	case s.unsettled():
		ld.unsettled += n
		l.open += n
		ld.weigh(l, n*it.size) // until the payload is gone
	}
	if !it.Hot && (s.waits() || s.runs()) {
		l.held += n
	}
}

// full reports whether a lane may start no more: outcomes that are not written are
// bounded, so that an outage of the database does not fill the memory. A lane may have
// as many of them as are left for others, so that one whose outcomes cannot be written
// does not stop the others.
func (ld *load) full(l *Lane, most int) bool { return ld.left(l, most) <= 0 }

// left is how many more events of a lane may start: each will have an outcome.
func (ld *load) left(l *Lane, most int) int {
	return max(most-ld.unsettled, 1) - l.open - l.running
}

// weigh counts payload bytes that came or went.
func (ld *load) weigh(l *Lane, n int) {
	l.bytes += n
	ld.bytes += n
}
