package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

func TestATrialFromBeforeAnotherOutageDoesNotLetTwoEventsTryAtOnce(t *testing.T) {
	r := newRig(t, true)
	down := core.Answer{Kind: core.Unavailable, Err: errors.New("down")}
	halfOpen := func() {
		t.Helper()
		r.now = r.now.Add(20 * time.Second)
		due, _ := r.dueProbes()
		if len(due) != 1 {
			t.Fatalf("%d probes are due", len(due))
		}
		r.step(func(c *core.Core) { c.Dests.Probed(due[0], nil) })
	}
	r.claim(row("old", 1)) // ends long after the others
	old := r.runs("old")[0]
	r.claim(row("a", 2))
	r.finish(r.runs("a")[0], down)
	halfOpen()
	r.claim(row("b", 3))
	first := r.runs("b")[0]
	r.finish(old, down) // the destination is down again
	halfOpen()
	r.claim(row("c", 4))
	r.runs("c")
	r.claim(row("d", 5))
	r.runs()
	r.finish(first, core.Answer{Kind: core.Unavailable, Err: errors.New("down")})
	r.runs() // not d, since c runs
}
