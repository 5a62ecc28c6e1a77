package core

import "time"

// work is what the workers of a lane do, and have done.
type work struct {
	runs     int // including stuck ones
	stuck    int // those of them whose events were settled without them
	finished int // runs of events that have ended, with any answer
	pace     pace
}

// begin and end count a run.
func (w *work) begin() { w.runs++ }
func (w *work) end()   { w.runs-- }

// lose and regain count a run whose events are settled without it.
func (w *work) lose()   { w.stuck++ }
func (w *work) regain() { w.stuck-- }

// finish counts an event whose run has ended.
func (w *work) finish(now time.Time) {
	w.finished++
	w.pace.add(now)
}
