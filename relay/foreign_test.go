package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

func TestAnEventWithoutADestinationHereGoesToTheRelayThatHasOne(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.HandleAggregate("order", "A", func(context.Context, outbox.Event) error { return nil })
	}, func(ctx context.Context, r *rig) {
		e := events("A", 1)[0]
		e.AggregateType, e.AggregateID = "customer", "c1"
		r.writeCold(ctx, e)
		r.run()
		pass(7 * time.Second)
		got := 0
		reg := outbox.NewRegistry()
		reg.HandleAggregate("customer", "A", func(context.Context, outbox.Event) error { got++; return nil })
		second, err := relay.New(r.store, reg, relay.Config{Logger: quietLog()})
		if err != nil {
			t.Fatal(err)
		}
		c2, cancel := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() { done <- second.Run(c2) }()
		for range 24 {
			if pass(10 * time.Minute); got > 0 {
				break
			}
		}
		if got == 0 {
			t.Error("not delivered within 4 hours, although a relay has a listener")
		}
		cancel()
		<-done
	})
}
