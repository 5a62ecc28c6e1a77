package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

const sqliteOrders = `CREATE TABLE orders (
	id INTEGER PRIMARY KEY, customer TEXT NOT NULL, amount INTEGER NOT NULL, placed_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)`

const insertSQLiteOrder = "INSERT INTO orders (customer, amount) VALUES (?1, ?2)"

func sqliteDrain() scenario {
	floors, floorNames := inBatches(nameFloor, floorBatches, sqliteFloorDrain)
	return scenario{
		name:     "sqlite-drain",
		what:     "SQLite: drain of 200,000 waiting events to a null listener, rows kept",
		variants: append([]variant{{nameOurs, drainSQLite}}, floors...),
		judge: func(r results) []row {
			return []row{atLeast("SQLite: drain, against its floor", r.figure(nameOurs, rate), r.fastest(floorNames...), 0.6)}
		},
	}
}

// sqliteFile is a database file with our tables and the business's, and with n
// waiting events.
func (e *env) sqliteFile(ctx context.Context, n int) (db *sql.DB, remove func(), err error) {
	dir, err := os.MkdirTemp(e.dir, "sqlite")
	if err != nil {
		return nil, nil, err
	}
	db, err = sqlitestore.Open("sqlite", filepath.Join(dir, "bench.db"))
	if err != nil {
		return nil, nil, err
	}
	remove = func() {
		_ = db.Close()
		_ = os.RemoveAll(dir) // the whole directory goes at the end
	}
	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err == nil {
		err = store.Migrate(ctx)
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	if _, err := db.ExecContext(ctx, sqliteOrders); err != nil {
		remove()
		return nil, nil, err
	}
	if err := loadSQLite(ctx, db, n); err != nil {
		remove()
		return nil, nil, err
	}
	return db, remove, nil
}

// loadSQLite writes events with the store's own INSERT, and leaves an empty log.
func loadSQLite(ctx context.Context, db *sql.DB, n int) error {
	queries, err := sqliteQueries()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(ctx, queries.Insert.SQL)
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }() // it goes with its transaction
	for i := range n {
		if _, err := insert.ExecContext(ctx, sqliteEvent(i, 0)...); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

func sqliteQueries() (sqlstore.Queries, error) {
	resolved, err := sqlstore.Resolve(sqlitestore.Dialect(), sqlstore.Tables{})
	return resolved.Queries, err
}

// sqliteEvent is event n as the store's INSERT takes it.
func sqliteEvent(n int, headStart time.Duration) []any {
	return []any{
		outbox.NewID(), eventType, "Order", aggregate(n), nil, nil, nil, payload(n), nil, nil,
		nil, nil, time.Now().UnixMicro(), headStart.Microseconds(),
	}
}

func drainSQLite(ctx context.Context, e *env) (sample, error) {
	n := e.events(drainEvents)
	db, remove, err := e.sqliteFile(ctx, n)
	if err != nil {
		return sample{}, err
	}
	defer remove()
	events, log := newLedger(n), &logCount{}
	cfg := tuned()
	cfg.Logger = log.logger()
	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err != nil {
		return sample{}, err
	}
	before := ownCPU()
	took, err := drainStore(ctx, store, cfg, events)
	if err != nil {
		return sample{}, err
	}
	s := drained(events, took, log)
	s.Values[processCPU] = micros(ownCPU()-before) / float64(n)
	return s, nil
}

func sqliteBusiness() scenario {
	floors, floorNames := inBatches(nameFloor, sqliteBatches, sqliteFloorBusiness)
	return scenario{
		name: "sqlite-business",
		what: "SQLite: transactions of one business row and one event, 8 writers, 20 s, until all is delivered and settled",
		variants: append([]variant{
			{nameKept, placeSQLite(untouched())},
			{nameDeleted, placeSQLite(deleting(untouched()))},
		}, floors...),
		judge: func(r results) []row {
			floor := r.fastest(floorNames...)
			return []row{
				atLeast("SQLite: business transactions, rows kept, against the floor", r.figure(nameKept, rate), floor, 0.6),
				compared("SQLite: business transactions, rows deleted, against the same floor", r.figure(nameDeleted, rate), floor),
			}
		},
	}
}

// sqliteBusinessTime is shorter than PostgreSQL's: nothing sweeps or vacuums.
const sqliteBusinessTime = 20 * time.Second

func placeSQLite(cfg relay.Config) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		db, remove, err := e.sqliteFile(ctx, 0)
		if err != nil {
			return sample{}, err
		}
		defer remove()
		// SQLite reads a text anew each time: a business in a hurry prepares its
		// statements, as the floor does.
		insert, err := db.PrepareContext(ctx, insertSQLiteOrder)
		if err != nil {
			return sample{}, err
		}
		defer func() { _ = insert.Close() }() // it goes with the file
		order := func(ctx context.Context, tx *sql.Tx, n int) error {
			_, err := tx.StmtContext(ctx, insert).ExecContext(ctx, "customer", n) //nolint:sqlclosecheck // the transaction's end closes it
			return err
		}
		store, err := sqlitestore.New(db, sqlitestore.Config{})
		if err != nil {
			return sample{}, err
		}
		before := ownCPU()
		s, n, err := runBusiness(ctx, store, cfg, e.duration(sqliteBusinessTime), func(r *relay.Relay) placer {
			return placeSQL(outbox.NewWriter(store, r.HotPath()), order)
		})
		if err != nil {
			return sample{}, err
		}
		s.Values[processCPU] = micros(ownCPU()-before) / float64(n)
		return s, nil
	}
}
