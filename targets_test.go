package outbox

import (
	"context"
	"fmt"
	"testing"
)

// A relay asks for the targets of each lane: with thousands of types it must not look
// at all registrations each time.
func TestTheTargetsOfATypeAreFoundWithoutTheRegistrationsOfOthers(t *testing.T) {
	const types, aggregates = 4000, 3
	reg := NewRegistry()
	listen := func(context.Context, Event) error { return nil }
	for i := range types {
		for a := range aggregates {
			reg.HandleAggregate(fmt.Sprint("aggregate-", a), fmt.Sprintf("type-%04d", i), listen)
		}
	}
	if err := reg.Err(); err != nil {
		t.Fatal(err)
	}
	looked, found := 0, 0
	for i := range types {
		name := fmt.Sprintf("type-%04d", i)
		looked += len(reg.ofType[name]) + len(reg.patterns)
		found += len(reg.Targets(name))
	}
	if found != types*aggregates || looked > found {
		t.Errorf("%d targets are found among %d, want %d and no other looked at", found, looked, types*aggregates)
	}
}
