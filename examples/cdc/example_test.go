package cdc_test

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

const (
	keep       = 7 * 24 * time.Hour
	sweepBatch = 1000
)

// sweep deletes rows older than keep, in short transactions. Call it every few
// minutes, from any number of instances.
func sweep(ctx context.Context, store driver.ExpiringStore) (deleted int, err error) {
	for {
		n, err := store.ExpireWritten(ctx, keep, sweepBatch)
		deleted += n
		if err != nil || n < sweepBatch {
			return deleted, err
		}
	}
}

func run(ctx context.Context, path string) error {
	db, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	w := outbox.NewWriter(store) // no relay hears of its commits
	for _, id := range []string{"4711", "4712"} {
		err := w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", AggregateID: id, JSON: []byte(`{}`)})
			return err
		})
		if err != nil {
			return err
		}
	}

	// The pipeline reads columns. docs/schema.md says what they hold.
	if err := printRows(ctx, db); err != nil {
		return err
	}

	// Pretend that the first order was placed long ago.
	if _, err := db.ExecContext(ctx, `UPDATE outbox_event SET created_at = 0 WHERE aggregate_id = '4711'`); err != nil {
		return err
	}
	deleted, err := sweep(ctx, store)
	if err != nil {
		return err
	}
	fmt.Println("deleted by age:", deleted)
	return printRows(ctx, db)
}

func printRows(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, `SELECT event_type, aggregate_id, payload FROM outbox_event ORDER BY seq`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var eventType, aggregateID, payload string
		if err := rows.Scan(&eventType, &aggregateID, &payload); err != nil {
			return err
		}
		fmt.Println(eventType, aggregateID, payload)
	}
	return rows.Err()
}

func Example() {
	scratch.Run(run)
	// Output:
	// OrderPlaced 4711 {}
	// OrderPlaced 4712 {}
	// deleted by age: 1
	// OrderPlaced 4712 {}
}
