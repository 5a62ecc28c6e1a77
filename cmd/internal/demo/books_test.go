package demo

import (
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func TestOnlyWhatSomebodyAskedForIsExcused(t *testing.T) {
	b := newBooks()
	event := func(id string) outbox.Event {
		e := orderShipped.New(newOrder(20).id(), newOrder(20))
		e.ID = id
		return e
	}
	receive := func(e outbox.Event, err error) {
		_ = b.receive(e, outbox.Delivery{Attempt: 1}, func(int) error { return err }) // it is err
	}
	check := func(what string, duplicates, repeated int64) {
		t.Helper()
		if c := b.counts(nil); c.Duplicates != duplicates || c.Repeated != repeated {
			t.Errorf("%s: %d duplicates and %d repeated, expected %d and %d", what, c.Duplicates, c.Repeated, duplicates, repeated)
		}
	}
	b.ledgers[orderShipped.Type()].Committed(20)
	receive(event("a"), outbox.Permanent(errAddress))
	b.ask([]string{"a"}) // its dead letter is tried again
	receive(event("a"), nil)
	check("a dead letter that is delivered", 0, 0)
	receive(event("a"), nil)
	check("delivered twice", 1, 0)
	b.ask([]string{"a"})
	check("a replay that the audit log tells of later", 0, 1)
	copied := event("b")
	copied.Headers = map[string]string{driver.ReplayOf: "a"}
	receive(copied, nil)
	check("a copy that nobody asked for", 1, 1)
	b.ask([]string{"a"})
	check("a copy", 0, 2)
	b.ask([]string{"a"})
	receive(event("a"), nil)
	check("a replay", 0, 3)
}
