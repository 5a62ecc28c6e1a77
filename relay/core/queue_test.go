package core

import (
	"testing"
	"time"
)

// One run of a key takes hours, and what waits behind it is claimed and given back.
func TestALineForgetsWhatDoesNotWaitAnyMore(t *testing.T) {
	ln := &line{running: 1}
	waits := &Item{state: Lined}
	waits.held.Seq = 1
	ln.join(waits)
	for i := range 100_000 {
		gone := &Item{state: Lined}
		gone.held.Seq = int64(2 + i)
		ln.join(gone)
		gone.state = Gone
	}
	if n := len(ln.behind.items); n > 2000 {
		t.Errorf("%d events behind a long run are kept", n)
	}
	if ln.ran(); ln.advance() != waits {
		t.Error("the one that waits is lost")
	}
}

func TestSuspectsForgetWhatDoesNotWaitAnyMore(t *testing.T) {
	var s suspects
	s.alone(&Item{started: time.Now()})
	for range 100_000 {
		s.queue.push(&Item{state: Gone})
	}
	if n := len(s.queue.items); n > 2000 {
		t.Errorf("%d suspects are kept while one runs", n)
	}
}
