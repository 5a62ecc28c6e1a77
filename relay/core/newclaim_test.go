package core_test

import "testing"

// Another relay had claimed it meanwhile and went away, for the third time.
func TestAnEventThatBecomesSuspectWhileItWaitsRunsAlone(t *testing.T) {
	r := newRig(t, false)
	r.claim(row("busy", 1))
	r.claim(row("busy too", 2))
	runs := r.runs("busy", "busy too")
	r.claim(row("x", 3))
	again := row("x", 3)
	again.ClaimNo, again.Recovered = 5, 3
	r.claim(again)
	r.finish(runs[0], delivered)
	r.finish(runs[1], delivered)
	lone := r.fx.Lone
	r.runs()
	if lone == nil || lone.Held().EventID != "x" {
		t.Errorf("%v runs alone, want x", lone)
	}
}
