package databasesql_test

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

// placeOrder owns its transaction, from Begin to Commit.
func placeOrder(ctx context.Context, db *sql.DB, w *outbox.Writer[*sql.Tx], id string, total int) error {
	ctx, done := w.Track(ctx)        // write with this context
	defer done(outbox.ErrRolledBack) // on every path but the last; the first call counts
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after the commit

	if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id, total) VALUES (?, ?)`, id, total); err != nil {
		return err
	}
	if _, err := w.Write(ctx, tx, outbox.Event{
		Type: "OrderPlaced", AggregateType: "Order", AggregateID: id, JSON: fmt.Appendf(nil, `{"total":%d}`, total),
	}); err != nil {
		return err
	}
	return done(tx.Commit()) // nil: the relay delivers at once
}

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
	w := outbox.NewWriter(store, r.HotPath())

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()

	if err := placeOrder(ctx, db, w, "4711", 12); err != nil {
		return err
	}
	e := <-received
	fmt.Println("delivered:", e.AggregateID, string(e.JSON))

	// The order exists already, so neither it nor its event is written.
	err = placeOrder(ctx, db, w, "4711", 13)
	fmt.Println("refused:", err != nil)

	stop()
	if err := <-finished; err != nil {
		return err
	}
	fmt.Println("more events:", len(received))
	return nil
}

func Example() {
	scratch.Run(run)
	// Output:
	// delivered: 4711 {"total":12}
	// refused: true
	// more events: 0
}
