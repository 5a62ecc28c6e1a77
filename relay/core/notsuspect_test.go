package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// Another relay had claimed it meanwhile and released it, which clears it.
func TestAnEventThatIsClearedWhileItWaitsToRunAloneRunsLikeOthers(t *testing.T) {
	r, lone := twoSuspects(t)
	r.runs()
	again := row("x", 2)
	again.ClaimNo = 5
	r.claim(again)
	r.step(func(c *core.Core) { c.Lone.Proved(lone, r.now, true, nil) }) // it was lost
	r.runs("x")
	if b, _ := nextSettle(r.Core, r.now.Add(time.Second), false); b != nil {
		t.Errorf("%v is written of an event that runs", b.Items[0].Outcome())
	}
}

// A suspect of another lane may run for long.
func TestAnEventThatIsClearedDoesNotWaitForTheSuspectThatRuns(t *testing.T) {
	r, lone := twoSuspects(t)
	r.step(func(c *core.Core) { c.Lone.Proved(lone, r.now, false, nil) })
	again := row("x", 2)
	again.ClaimNo = 5
	r.claim(again)
	r.runs("x") // both workers are idle
}

// twoSuspects is a rig with one suspect that is about to run alone, and another one, x,
// that waits for it.
func twoSuspects(t *testing.T) (r *rig, lone *core.Item) {
	r = newRig(t, false)
	for i, id := range []string{"lone", "x"} {
		suspect := row(id, int64(i+1))
		suspect.Recovered = 3
		r.claim(suspect)
	}
	return r, r.fx.Lone
}
