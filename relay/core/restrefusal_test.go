package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// It was written between two rounds, or two calls of Run, and waits for the poller.
func TestAHotEventDoesNotOvertakeOneFromBeforeTheStart(t *testing.T) {
	c, dest, now := hotCore()
	var fx core.Effects
	of := func(id string) outbox.Event {
		return outbox.Event{ID: id, Type: "A", AggregateType: "order", AggregateID: "1"}
	}
	admit := func(e outbox.Event) bool {
		return admit(c, now, now, e, []core.Item{core.NewHot(&e, dest)}, &fx)
	}
	c.Drain()
	c.Step(now, &fx, func(c *core.Core) { c.Hot.Committed([]outbox.Written{{Event: of("first"), Seq: 1}}) })
	c.Step(now, &fx, func(c *core.Core) { c.Stop() })
	c.Step(now, &fx, func(c *core.Core) { c.Rest() })
	now = now.Add(time.Second)
	c.Start()
	if admit(of("second")) {
		t.Error("the second is admitted while the first waits in the table")
	}
	now = now.Add(6 * time.Second) // longer than the head start
	if !admit(of("third")) {
		t.Error("the key has no hot path any more")
	}
}
