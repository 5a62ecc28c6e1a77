package place

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"
	_ "modernc.org/sqlite"             // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Database is one database, with the tables of the outbox.
type Database struct {
	*sql.DB
	Store *sqlstore.Store
	Name  string // for people

	remove func(context.Context) error
}

// Open makes one database for each name. The address is the URL of a PostgreSQL
// server, or empty for SQLite files. Close removes them.
func Open(ctx context.Context, address string, names ...string) (all []*Database, err error) {
	for _, name := range names {
		var d *Database
		if address == "" {
			d, err = openFile(name)
		} else {
			d, err = create(ctx, address, name)
		}
		if err == nil {
			all = append(all, d)
			err = d.Store.Migrate(ctx)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the database %s: %w", name, err), Close(all))
		}
	}
	return all, nil
}

func openFile(name string) (*Database, error) {
	dir, err := os.MkdirTemp("", "outbox-shop-")
	if err != nil {
		return nil, err
	}
	d := &Database{Name: filepath.Join(dir, name+".db"), remove: func(context.Context) error { return os.RemoveAll(dir) }}
	if d.DB, err = sqlitestore.Open("sqlite", d.Name); err == nil {
		d.Store, err = sqlitestore.New(d.DB, sqlitestore.Config{})
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return d, nil
}

// create makes a database with a name that no other run has.
func create(ctx context.Context, address, name string) (*Database, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the URL of PostgreSQL cannot be read: write postgres://user:password@host:port/database")
	}
	database := "outbox_" + name + "_" + strings.ToLower(outbox.NewID())
	if err := execute(ctx, address, "CREATE DATABASE "+database); err != nil {
		return nil, err
	}
	u.Path = "/" + database
	d := &Database{Name: database, remove: func(ctx context.Context) error {
		return execute(ctx, address, "DROP DATABASE "+database+" WITH (FORCE)")
	}}
	if d.DB, err = sql.Open("pgx", u.String()); err == nil {
		d.SetMaxOpenConns(10)
		d.Store, err = pgstore.New(d.DB, pgstore.Config{})
	}
	if err != nil {
		return nil, errors.Join(err, d.remove(context.WithoutCancel(ctx)))
	}
	return d, nil
}

func execute(ctx context.Context, address, statement string) error {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement)
	return errors.Join(err, db.Close())
}

// Close closes the databases and removes them.
func Close(all []*Database) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var errs []error
	for _, d := range all {
		errs = append(errs, d.Close(), d.remove(ctx))
	}
	return errors.Join(errs...)
}

// Count returns the number that a query selects.
func (d *Database) Count(ctx context.Context, query string) (n int, err error) {
	err = d.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}
