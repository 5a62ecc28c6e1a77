package sqlitestore_test

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

// An order and the event about it are stored together, or not at all.
func Example() {
	ctx := context.Background()
	db, err := sqlitestore.Open("sqlite", ":memory:")
	if err != nil {
		panic(err)
	}
	defer func() { _ = db.Close() }()
	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err != nil {
		panic(err)
	}
	if err := store.Migrate(ctx); err != nil {
		panic(err)
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE orders (id TEXT)"); err != nil {
		panic(err)
	}

	w := outbox.NewWriter(store)
	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO orders VALUES ('4711')"); err != nil {
			return err
		}
		_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"id":"4711"}`)})
		return err
	})
	if err != nil {
		panic(err)
	}

	// A relay does what follows by itself.
	claimed, err := store.Claim(ctx, driver.ClaimRequest{
		Owner: driver.NewOwner("example"),
		Lease: time.Minute,
		Wants: []driver.Want{{Lane: "OrderPlaced", Rows: 10}},
	})
	if err != nil {
		panic(err)
	}
	for _, c := range claimed {
		fmt.Println(c.Event.Type, string(c.Event.JSON))
	}
	// Output: OrderPlaced {"id":"4711"}
}
