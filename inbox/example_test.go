package inbox_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

func ExampleConsumer_Consume() {
	ctx := context.Background()
	ledger := memstore.New(memstore.Config{}) // in earnest one of PostgreSQL, MySQL or SQLite
	consumer, err := inbox.New(ledger, inbox.Config{Group: "billing"})
	if err != nil {
		panic(err)
	}
	// A broker delivers at least once: here the first message comes twice.
	for _, message := range []outbox.Received{{EventID: "1"}, {EventID: "1"}, {EventID: "2"}} {
		err := consumer.Consume(ctx, message, func(_ context.Context, tx *memstore.Tx) error {
			fmt.Println("invoice for", message.EventID)
			return tx.Put("invoice:"+message.EventID, "open")
		})
		if err != nil {
			panic(err) // do not acknowledge: the broker delivers again
		}
	}
	// Output:
	// invoice for 1
	// invoice for 2
}

func ExampleConsumer_ConsumeBatch() {
	ledger := memstore.New(memstore.Config{})
	consumer, err := inbox.New(ledger, inbox.Config{Group: "billing"})
	if err != nil {
		panic(err)
	}
	batch := []outbox.Received{{EventID: "2"}, {EventID: "1"}, {EventID: "2"}}
	for range 2 {
		err := consumer.ConsumeBatch(context.Background(), batch, func(_ context.Context, tx *memstore.Tx, fresh []outbox.Received) error {
			for _, m := range fresh {
				fmt.Println("invoice for", m.EventID)
			}
			return nil
		})
		if err != nil {
			panic(err)
		}
	}
	// Output:
	// invoice for 2
	// invoice for 1
}

func ExampleConsumer_ConsumeIn() {
	ctx := context.Background()
	ledger := memstore.New(memstore.Config{})
	consumer, err := inbox.New(ledger, inbox.Config{Group: "billing"})
	if err != nil {
		panic(err)
	}
	receive := func(m outbox.Received) (err error) {
		ctx, done := consumer.Track(ctx) // needed for a cache alone
		defer func() { _ = done(outbox.ErrRolledBack) }()
		tx, err := ledger.BeginTx(ctx)
		if err != nil {
			return err
		}
		fresh, err := consumer.ConsumeIn(ctx, tx, m)
		if err != nil || !fresh {
			return errors.Join(err, tx.Rollback())
		}
		fmt.Println("invoice for", m.EventID)
		return done(tx.Commit())
	}
	for range 2 {
		if err := receive(outbox.Received{EventID: "1"}); err != nil {
			panic(err)
		}
	}
	// Output: invoice for 1
}

// A listener in the process of the relay, on the same database: the relay
// delivers at least once, the effect happens once.
func ExampleConsumer_Listener() {
	store := memstore.New(memstore.Config{})
	consumer, err := inbox.New(store, inbox.Config{Group: "billing"})
	if err != nil {
		panic(err)
	}
	listener := consumer.Listener(func(_ context.Context, tx *memstore.Tx, e outbox.Event) error {
		fmt.Println("invoice for", e.AggregateID)
		return tx.Put("invoice", "open")
	})
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", listener)

	// What a relay does after a crash:
	e := outbox.Event{ID: "01J", Type: "OrderPlaced", AggregateID: "order 1", JSON: []byte(`{}`)}
	for range 2 {
		if err := listener(context.Background(), e); err != nil {
			panic(err)
		}
	}
	// Output: invoice for order 1
}
