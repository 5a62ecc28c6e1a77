package ent_test

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Order is a row of the table orders.
type Order struct {
	ID    string
	Total int
}

var orderPlaced = outbox.Define[Order]("Order", "OrderPlaced")

func placeOrder(ctx context.Context, drv *entsql.Driver, w *outbox.Writer[sqlstore.Tx], o Order) error {
	ctx, done := w.Track(ctx)        // write with this context
	defer done(outbox.ErrRolledBack) // on every path but the last; the first call counts
	tx, err := drv.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit

	query, args := entsql.Dialect(dialect.SQLite).Insert("orders").Columns("id", "total").Values(o.ID, o.Total).Query()
	if err := tx.Exec(ctx, query, args, nil); err != nil {
		return err
	}
	if _, err := w.Write(ctx, txOf(tx), orderPlaced.New(o.ID, o)); err != nil {
		return err
	}
	return done(tx.Commit()) // nil: the relay delivers at once
}

// txOf returns the transaction as the writer wants it, or nil, which Write
// refuses: ent declares its transactions as an interface with fewer methods
// than they have.
func txOf(tx dialect.Tx) sqlstore.Tx {
	t, _ := tx.(sqlstore.Tx)
	return t
}

func run(ctx context.Context, path string) error {
	sqlDB, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { _ = sqlDB.Close() }()
	store, err := sqlitestore.New(sqlDB, sqlitestore.Config{})
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	drv := entsql.OpenDB(dialect.SQLite, sqlDB)
	create := `CREATE TABLE orders (id TEXT PRIMARY KEY, total INTEGER NOT NULL)`
	if err := drv.Exec(ctx, create, []any{}, nil); err != nil {
		return err
	}

	received := make(chan outbox.Event, 2)
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(_ context.Context, e outbox.Event) error {
		received <- e
		return nil
	})
	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store.ORM(), r.HotPath())

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()

	if err := placeOrder(ctx, drv, w, Order{ID: "4711", Total: 12}); err != nil {
		return err
	}
	e := <-received
	fmt.Println("delivered:", e.AggregateID, string(e.JSON))

	stop()
	return <-finished
}

func Example() {
	scratch.Run(run)
	// Output:
	// delivered: 4711 {"ID":"4711","Total":12}
}
