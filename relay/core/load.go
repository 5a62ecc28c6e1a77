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
	held     int // events of the poller in memory
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
		if !it.Hot {
			ld.cold += n
		}
		ld.weigh(l, n*it.size)
	case s.unsettled():
		ld.unsettled += n
		ld.weigh(l, n*it.size) // until the payload is gone
	}
	if !it.Hot && (s.waits() || s.runs() || s.unsettled()) {
		l.held += n
	}
}

// weigh counts payload bytes that came or went.
func (ld *load) weigh(l *Lane, n int) {
	l.bytes += n
	ld.bytes += n
}
