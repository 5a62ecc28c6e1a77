package typed_test

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

// Order is the payload of the events below.
type Order struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

// One definition for both ends. IDOf says which order an event is about.
var (
	OrderPlaced  = outbox.Define("Order", "OrderPlaced", outbox.IDOf(func(o Order) string { return o.ID }))
	OrderShipped = outbox.Define("Order", "OrderShipped", outbox.IDOf(func(o Order) string { return o.ID }))
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
	store := sqlitestore.New(db)
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	// The receivers get the payload decoded. What cannot be decoded is a dead
	// letter at once.
	reg := outbox.NewRegistry()
	OrderPlaced.Handle(reg, func(_ context.Context, _ outbox.Event, o Order) error {
		fmt.Printf("order %s was placed, %d to pay\n", o.ID, o.Total)
		return nil
	})
	OrderShipped.Handle(reg, func(_ context.Context, _ outbox.Event, o Order) error {
		fmt.Printf("order %s was shipped\n", o.ID)
		return nil
	})
	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r)

	// Written by hand, beside other changes of the transaction.
	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := w.Write(ctx, tx, OrderShipped.Of(Order{ID: "4710", Total: 99}))
		return err
	})
	if err != nil {
		return err
	}

	// Written because it is returned.
	place := func(id string, total int) (Order, error) {
		return outbox.Publishing(w, OrderPlaced, func(ctx context.Context, tx *sql.Tx) (Order, error) {
			_, err := tx.ExecContext(ctx, `INSERT INTO orders (id, total) VALUES (?, ?)`, id, total)
			return Order{ID: id, Total: total}, err
		})(ctx)
	}
	if _, err := place("4711", 12); err != nil {
		return err
	}
	_, err = r.RunOnce(ctx) // a service calls Run; one round is enough here
	return err
}

func Example() {
	scratch.Run(run)
	// Unordered output:
	// order 4710 was shipped
	// order 4711 was placed, 12 to pay
}
