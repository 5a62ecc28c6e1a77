package core_test

import (
	"testing"

	"github.com/sendoff-go/outbox/relay/core"
)

// It is no suspect any more, and a suspect of another lane may run for long.
func TestAnEventThatIsClearedDoesNotWaitForTheSuspectThatRuns(t *testing.T) {
	r := newRig(t, false)
	for i, id := range []string{"lone", "x"} {
		suspect := row(id, int64(i+1))
		suspect.Recovered = 3
		r.claim(suspect)
	}
	lone := r.fx.Lone
	r.step(func(c *core.Core) { c.Lone.Proved(lone, r.now, false, nil) })
	again := row("x", 2)
	again.ClaimNo = 5
	r.claim(again)
	r.runs("x") // both workers are idle
}
