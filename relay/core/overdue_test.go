package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// To give it up asks the retry policy, which may take long.
func TestARunThatIgnoresItsEndIsToBeGivenUpOnce(t *testing.T) {
	r := newRig(t, false)
	r.claim(row("x", 1))
	r.runs("x")
	for range 10 {
		r.now = r.now.Add(time.Minute)
		r.step(func(c *core.Core) { c.Leases.Due() })
	}
	if n := len(r.fx.Overdue); n != 1 {
		t.Errorf("%d times", n)
	}
}
