package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"
	_ "modernc.org/sqlite"             // registers the driver "sqlite"

	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// database is what the shop and the warehouse each have: a pool, a store on it,
// and an inbox for events of the other.
type database struct {
	*sql.DB
	store *sqlstore.Store
	inbox *inbox.Consumer[*sql.Tx]
}

// openDatabase opens a PostgreSQL URL or an SQLite file, and creates the tables
// of the outbox and those of the statements.
func openDatabase(ctx context.Context, address, group string, tables ...string) (d database, err error) {
	if strings.HasPrefix(address, "postgres") {
		if d.DB, err = sql.Open("pgx", address); err != nil {
			return d, err
		}
		d.store, err = pgstore.New(d.DB, pgstore.Config{})
	} else {
		if d.DB, err = sqlitestore.Open("sqlite", address); err != nil {
			return d, err
		}
		d.store, err = sqlitestore.New(d.DB, sqlitestore.Config{})
	}
	if err == nil {
		err = d.store.Migrate(ctx)
	}
	for _, table := range tables {
		if err == nil {
			_, err = d.ExecContext(ctx, table)
		}
	}
	if err == nil {
		d.inbox, err = inbox.New(d.store, inbox.Config{Group: group})
	}
	if err != nil {
		return d, errors.Join(fmt.Errorf("the database of the %s: %w", group, err), d.Close())
	}
	return d, nil
}

// count returns the number that a query selects.
func (d database) count(ctx context.Context, query string) (n int, err error) {
	err = d.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}
