package sinktest

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func destinationCheckLaws() []Law {
	return []Law{
		{
			Name:    "a check of a destination tells a server that answers from one that does not",
			Why:     "the relay uses it instead of the sink's check where a route has one destination",
			Applies: hasFaults,
			Check:   check(func(k *kit) { k.checkTells(k.testDestination) }),
		},
		{
			Name:  "a check of a destination sends no message",
			Why:   "consumers would receive what nobody wrote",
			Check: check(func(k *kit) { k.checkSendsNothing(k.testDestination) }),
		},
	}
}

// testDestination calls the sink's check of the destination with a timeout of d
// and, like a relay, with a message that has no payload, key or headers.
func (k *kit) testDestination(d time.Duration) error {
	k.Helper()
	m := outbox.Message{Destination: k.Destination, Event: outbox.Event{Type: "order"}}
	return k.ask(d, func(ctx context.Context) error {
		return k.Sink.(driver.DestinationChecker).CheckDestination(ctx, m)
	})
}
