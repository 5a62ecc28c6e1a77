package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

var delivered = core.Answer{}

// A listener that ignores its context outlives the shutdown and still works on
// its aggregate.
func TestARunThatOutlivesARestartKeepsItsKey(t *testing.T) {
	r := newRig(t, false)
	first, second := row("first", 1), row("second", 2)
	first.Event.AggregateType, first.Event.AggregateID = "order", "1"
	second.Event.AggregateType, second.Event.AggregateID = "order", "1"
	r.claim(first)
	run := r.runs("first")[0]
	r.Drain()
	r.step(func(c *core.Core) { c.Stop() })
	r.step(func(c *core.Core) { c.Rest() })
	r.now = r.now.Add(time.Minute)
	r.Start()
	r.claim(second)
	r.runs()
	r.finish(run, delivered)
	third := second
	third.EventID, third.Seq = "third", 3
	r.now = r.now.Add(time.Minute)
	r.claim(third)
	r.runs("third")
}
