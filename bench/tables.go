package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// defaultSchema is where a store without a configuration looks.
const defaultSchema = "public"

// migrate creates the tables of a store in a schema of its own.
func (e *env) migrate(ctx context.Context, schema string) error {
	if err := e.exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+schema); err != nil {
		return err
	}
	store, err := pgxstore.New(e.admin, pgxstore.Config{Tables: pgstore.Tables{Schema: schema}})
	if err != nil {
		return err
	}
	defer store.Close()
	return store.Migrate(ctx)
}

// fresh makes the tables empty, in the default schema, and puts n waiting events
// of one type into them.
func (e *env) fresh(ctx context.Context, n int) error { return e.freshOf(ctx, n, 1) }

// freshOf does so with events of several types.
func (e *env) freshOf(ctx context.Context, n, types int) error {
	if err := e.migrate(ctx, defaultSchema); err != nil {
		return err
	}
	if err := e.exec(ctx, "TRUNCATE outbox_event, outbox_dlq_event RESTART IDENTITY"); err != nil {
		return err
	}
	if err := e.load(ctx, defaultSchema, n, types); err != nil {
		return err
	}
	return e.rest(ctx, "outbox_event")
}

// rest is what every table gets before it is measured, ours and the peers':
// statistics, hint bits, and nothing left to be written.
func (e *env) rest(ctx context.Context, tables ...string) error {
	for _, table := range tables {
		if err := e.exec(ctx, "VACUUM (ANALYZE) "+table); err != nil {
			return err
		}
	}
	return e.checkpoint(ctx)
}

// load writes n waiting events as writers do: ids that grow, one aggregate for
// each, the types in turn. COPY stands in for n transactions, which would take
// minutes.
func (e *env) load(ctx context.Context, schema string, n, types int) error {
	columns := []string{"event_id", "event_type", "aggregate_type", "aggregate_id", "payload", "occurred_at"}
	now := time.Now()
	i := 0
	rows := pgx.CopyFromFunc(func() ([]any, error) {
		if i == n {
			return nil, nil
		}
		i++
		return []any{outbox.NewID(), typeOf(i-1, types), "Order", aggregate(i - 1), payload(i - 1), now}, nil
	})
	_, err := e.admin.CopyFrom(ctx, pgx.Identifier{schema, "outbox_event"}, columns, rows)
	return err
}

func aggregate(n int) string { return fmt.Sprintf("order-%d", n) }

// pending counts the events that are due and not done.
func (e *env) pending(ctx context.Context, schema string) (n int, err error) {
	err = e.admin.QueryRow(ctx, "SELECT count(*) FROM "+schema+".outbox_event WHERE status IN (0, 2) AND available_at <= now()").Scan(&n)
	return n, err
}
