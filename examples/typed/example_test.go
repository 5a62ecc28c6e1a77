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

// One definition for writers and receivers.
var (
	OrderPlaced  = outbox.Define[Order]("Order", "OrderPlaced")
	OrderShipped = outbox.Define[Order]("Order", "OrderShipped")
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
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	// The receivers get the payload decoded. A payload that cannot be decoded
	// is a dead letter at once.
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
	w := outbox.NewWriter(store, r.HotPath())

	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		o := Order{ID: "4711", Total: 12}
		if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id, total) VALUES (?, ?)`, o.ID, o.Total); err != nil {
			return err
		}
		_, err := w.WriteAll(ctx, tx, OrderPlaced.New(o.ID, o), OrderShipped.New("4710", Order{ID: "4710", Total: 99}))
		return err
	})
	if err != nil {
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
