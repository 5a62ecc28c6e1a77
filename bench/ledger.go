package main

import "sync/atomic"

// ledger counts, for each numbered event, how often the listener had it. It is
// safe for concurrent use.
type ledger struct {
	runs    []atomic.Uint32
	strange atomic.Uint32 // numbers that were never written
}

func newLedger(n int) *ledger { return &ledger{runs: make([]atomic.Uint32, n)} }

func (l *ledger) len() int { return len(l.runs) }

// got notes that the listener had event n.
func (l *ledger) got(n int) {
	if n < 0 || n >= len(l.runs) {
		l.strange.Add(1)
		return
	}
	l.runs[n].Add(1)
}

// audit returns how many of the first n events never came, and how many came
// again or were never written.
func (l *ledger) audit(n int) (lost, doubled int) {
	doubled = int(l.strange.Load())
	for i := range l.runs {
		switch times := int(l.runs[i].Load()); {
		case times == 0 && i < n:
			lost++
		case times > 1:
			doubled += times - 1
		}
	}
	return lost, doubled
}

// counts are the runs of each event, at most 255, to be sent to another process.
func (l *ledger) counts() []byte {
	out := make([]byte, len(l.runs))
	for i := range l.runs {
		out[i] = byte(min(l.runs[i].Load(), 255))
	}
	return out
}

// add adds what another process counted, and returns how many events that were.
func (l *ledger) add(counts []byte) (events int) {
	for i, n := range counts {
		l.runs[i].Add(uint32(n))
		if n > 0 {
			events++
		}
	}
	return events
}
