package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Ballast is what else is in the table while 200,000 events are drained.
const (
	ballastDone  = 2_000_000
	ballastLater = 1_000_000
)

const (
	nameEmpty    = "empty table"
	nameDone     = "2 million DONE"
	nameLater    = "1 million due tomorrow"
	nameSnapshot = "old snapshot"
)

func ballast() scenario {
	return scenario{
		name: "ballast",
		what: "the same drain, rows kept, with other rows in the table or an old snapshot held open",
		variants: []variant{
			{nameEmpty, drainOurs(onPgx, tuned())},
			{nameDone, drainBeside("beside_done", ballastDone, "status, done_at", "1, now() - interval '1 hour'")},
			{nameLater, drainBeside("beside_later", ballastLater, "available_at", "now() + interval '1 day'")},
			{nameSnapshot, drainUnderSnapshot},
		},
		judge: func(r results) []row {
			empty := r.figure(nameEmpty, rate)
			var rows []row
			for _, name := range []string{nameDone, nameLater, nameSnapshot} {
				rows = append(rows, atLeast("drain with "+name+", against the empty table", r.figure(name, rate), empty, 0.85))
			}
			return rows
		},
	}
}

// drainBeside drains a table that has many other rows of the same type. They
// are written once, into their own schema; afterwards only the rows of the
// previous run are removed.
func drainBeside(schema string, rows int, columns, values string) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		if err := e.beside(ctx, schema, e.events(rows), columns, values); err != nil {
			return sample{}, err
		}
		n := e.events(drainEvents)
		if err := e.load(ctx, schema, n, 1); err != nil {
			return sample{}, err
		}
		if err := e.rest(ctx, schema+".outbox_event"); err != nil {
			return sample{}, err
		}
		return e.drain(ctx, onPgx, schema, tuned(), n)
	}
}

// beside leaves just the other rows in the table. They come from another
// program, so they have the ids that the database makes.
func (e *env) beside(ctx context.Context, schema string, rows int, columns, values string) error {
	if err := e.migrate(ctx, schema); err != nil {
		return err
	}
	table := schema + ".outbox_event"
	var found bool
	if err := e.admin.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+table+")").Scan(&found); err != nil {
		return err
	}
	if found {
		return e.exec(ctx, "DELETE FROM "+table+" WHERE aggregate_type <> 'Ballast'", "VACUUM "+table)
	}
	return e.exec(ctx,
		fmt.Sprintf(`INSERT INTO %s (event_type, aggregate_type, payload, %s)
			SELECT '%s', 'Ballast', (%s)::json, %s FROM generate_series(1, %d) g`,
			table, columns, eventType, payloadSQL(payloadSize), values, rows),
		"VACUUM (FREEZE, ANALYZE) "+table)
}

// drainUnderSnapshot drains while an older transaction is open: no row version
// that the drain leaves behind can be removed.
func drainUnderSnapshot(ctx context.Context, e *env) (sample, error) {
	n := e.events(drainEvents)
	if err := e.fresh(ctx, n); err != nil {
		return sample{}, err
	}
	conn, err := pgx.Connect(ctx, e.url)
	if err != nil {
		return sample{}, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return sample{}, err
	}
	var seen int
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM outbox_event").Scan(&seen); err != nil {
		return sample{}, err
	}
	s, err := e.drain(ctx, onPgx, defaultSchema, tuned(), n)
	if err != nil {
		return s, err
	}
	var still int
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM outbox_event WHERE status = 0").Scan(&still); err != nil {
		return s, err
	}
	if still != seen {
		return s, fmt.Errorf("the snapshot was not held: it sees %d of %d rows", still, seen)
	}
	return s, tx.Rollback(ctx)
}
