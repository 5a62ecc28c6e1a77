package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// It was handed over before the outage, beside others: what it says now is not
// the answer of the event that tries the destination.
func TestAStragglerIsNotTheTrialOfADestination(t *testing.T) {
	r := newRig(t, false)
	down := core.Answer{Kind: core.Unavailable, Err: errors.New("connection refused")}
	r.claim(row("first", 1))
	r.claim(row("straggler", 2))
	runs := r.runs("first", "straggler")
	r.finish(runs[0], down) // opens the breaker
	r.now = r.now.Add(time.Second)
	r.dueProbes() // nothing can be checked: an event is the probe
	r.claim(row("trial", 3))
	r.claim(row("next", 4))
	r.runs("trial")
	r.finish(runs[1], core.Answer{Kind: core.Failed, Unasked: true})
	r.runs() // the destination is still tried by one event alone
}
