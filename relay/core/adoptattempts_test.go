package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// This relay stalls while the event runs: another one claims it, fails and releases
// it, and this one claims it again before its own run ends.
func TestAnOutcomeUnderANewerClaimKeepsTheAttemptsThatOthersMade(t *testing.T) {
	failed := core.Answer{Kind: core.Failed, Retry: time.Second}
	for name, c := range map[string]struct {
		answer   core.Answer
		lone     bool // a suspect, whose attempt is in the row before it runs
		repeated bool // the answer to the first statement was lost
		others   int  // attempts of the newer claim
		gone     int  // owners that have disappeared since the first claim
		want     int  // attempts that the outcome writes; 0: the event runs again
	}{
		"it failed":                      {answer: failed, others: 3, want: 4},
		"it was released":                {answer: core.Answer{Kind: core.NotYet, Delay: time.Second}, others: 3, want: 3},
		"it was delivered":               {answer: delivered, others: 3, want: 3},
		"it failed alone":                {answer: failed, lone: true, others: 3, want: 3},
		"it was released alone":          {answer: core.Answer{Kind: core.NotYet, Delay: time.Second}, lone: true, others: 3, want: 2},
		"the failure had been written":   {answer: failed, repeated: true, others: 1},
		"the failure had not been":       {answer: failed, repeated: true, others: 0, want: 1},
		"the release may have been":      {answer: core.Answer{Kind: core.NotYet, Delay: time.Second}, repeated: true, others: 3, want: 3},
		"the failure had been, and more": {answer: failed, repeated: true, others: 3},
		"the lone failure had not been":  {answer: failed, lone: true, repeated: true, others: 1, gone: 1, want: 1},
		"the lone failure had been":      {answer: failed, lone: true, repeated: true, others: 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, false)
			first := row("x", 1)
			if c.lone {
				first.Recovered = 3
			}
			r.claim(first)
			var run *core.Run
			if c.lone {
				r.step(func(co *core.Core) { run = co.Lone.Proved(r.fx.Lone, r.now, false, nil) })
			} else {
				run = r.runs("x")[0]
			}
			again := row("x", 1)
			again.ClaimNo, again.Attempts = 8, c.others
			if c.lone && c.gone > 0 {
				again.Recovered = first.Recovered + c.gone // nothing was settled since
			}
			again.Failures = []byte(`[{"attempt":1}]`)
			r.claim(again)
			r.finish(run, c.answer)
			b := r.nextBatch()
			if c.repeated {
				r.step(func(co *core.Core) { co.Outcomes.Settled(b, core.SettleAnswer{Err: core.SettleDown}) })
				b = r.nextBatch()
			}
			r.step(func(co *core.Core) {
				co.Outcomes.Settled(b, core.SettleAnswer{Stale: []driver.Held{b.Items[0].Held()}})
			})
			if c.want == 0 {
				r.runs("x")
				return
			}
			b = r.nextBatch()
			if b == nil || b.Items[0].Held().ClaimNo != 8 {
				t.Fatal("the outcome is not sent under the newer claim")
			}
			it := b.Items[0]
			if out := it.Outcome(); out.Attempts != c.want || string(it.Failures) != string(again.Failures) {
				t.Errorf("the outcome %s writes %d attempts after %s, expected %d", out.Kind, out.Attempts, it.Failures, c.want)
			}
		})
	}
}

// nextBatch is the next batch of outcomes, a second later.
func (r *rig) nextBatch() *core.Batch {
	r.now = r.now.Add(time.Second)
	b, _ := r.nextSettle(false)
	return b
}
