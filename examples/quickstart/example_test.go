package quickstart_test

import (
	"context"
	"database/sql"
	"fmt"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func run(ctx context.Context, path string) error {
	db, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(ctx, `CREATE TABLE orders (id TEXT PRIMARY KEY, total INTEGER NOT NULL)`); err != nil {
		return err
	}
	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil { // nothing is created unasked
		return err
	}

	received := make(chan outbox.Event, 1)
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(_ context.Context, e outbox.Event) error {
		received <- e
		return nil // an error is retried, and in the end the event is a dead letter
	})
	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r.HotPath()) // r hears of every commit: that is the hot path

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()

	// The order and the event are committed together, or not at all.
	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id, total) VALUES (?, ?)`, "4711", 12); err != nil {
			return err
		}
		_, err := w.Write(ctx, tx, outbox.Event{
			Type: "OrderPlaced", AggregateType: "Order", AggregateID: "4711", JSON: []byte(`{"total":12}`),
		})
		return err
	})
	if err != nil {
		return err
	}
	e := <-received
	fmt.Printf("%s: %s %s %s\n", e.Type, e.AggregateType, e.AggregateID, e.JSON)

	stop() // the relay finishes what it has, and only then returns
	return <-finished
}

func Example() {
	scratch.Run(run)
	// Output: OrderPlaced: Order 4711 {"total":12}
}
