package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

var (
	errNoPatience = errors.New(`the pool has several connections and no busy timeout, so a writer fails with "database is locked" instead of waiting for another: ` +
		`open it with sqlitestore.Open, call SetMaxOpenConns(1), or set a busy timeout in its URI ` +
		`(_pragma=busy_timeout(10000), or _busy_timeout=10000 with mattn/go-sqlite3)`)
	errApart = errors.New("each connection of the pool has an in-memory database of its own, so the tables that one creates are missing on the others: " +
		"open it with sqlitestore.Open, or call SetMaxOpenConns(1)")
)

// checkPool refuses a pool of several connections that is bound to fail. If it
// cannot find out, the caller's own statement will report the error.
func checkPool(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil
	}
	defer func() { _ = conn.Close() }() // gives it back; nothing is left to fail
	var patience int
	var file string
	err = conn.QueryRowContext(ctx, `SELECT (SELECT timeout FROM pragma_busy_timeout),
		(SELECT coalesce(file, '') FROM pragma_database_list WHERE name = 'main')`).Scan(&patience, &file)
	switch {
	case err != nil:
		return nil
	case file == "" && apart(ctx, db, conn):
		return errApart
	case file != "" && patience == 0:
		return errNoPatience
	}
	return nil
}

// apart reports whether a table that one connection to a database in memory
// makes is missing on another. With a shared cache it is not. Comparing locks
// would be simpler, but modernc.org/sqlite waits forever for those of a shared
// cache.
func apart(ctx context.Context, db *sql.DB, conn *sql.Conn) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second) // a pool in full use has no second one
	defer cancel()
	other, err := db.Conn(ctx)
	if err != nil {
		return false
	}
	defer func() { _ = other.Close() }() // as in checkPool
	if _, err := conn.ExecContext(ctx, "CREATE TABLE outbox_pool_check (n)"); err != nil {
		return false
	}
	var there bool
	err = other.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'outbox_pool_check'").Scan(&there)
	_, _ = conn.ExecContext(context.WithoutCancel(ctx), "DROP TABLE outbox_pool_check") // in memory, nothing keeps it from that
	return err == nil && !there
}
