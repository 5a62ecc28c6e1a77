package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// The look at the leases finds a run overdue, the run ends, and only then does
// the goroutine that gives it up get the lock.
func TestARunThatEndsBeforeItIsGivenUpCostsNoWorker(t *testing.T) {
	r := newRig(t, false)
	for i, id := range []string{"a", "b"} { // two workers
		r.claim(row(id, int64(i+1)))
		run := r.runs(id)[0]
		r.now = r.now.Add(time.Minute + 2*time.Second)
		r.step(func(c *core.Core) { c.Leases.Due() })
		if len(r.fx.Overdue) != 1 {
			t.Fatal("not overdue")
		}
		r.fx.Reset()
		r.finish(run, delivered)
		r.step(func(c *core.Core) { c.Runs.GiveUp(run, []core.Answer{{Kind: core.Failed}}) })
		r.fx.Reset()
	}
	r.now = r.now.Add(time.Hour)
	r.step(func(c *core.Core) { c.Claims.Wake(nil) })
	if p := r.poll(); len(p.Wants) == 0 {
		t.Errorf("nothing runs, and the lane is shut for ever")
	}
	r.claim(row("c", 3))
	r.runs("c")
}
