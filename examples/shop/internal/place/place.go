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

// Database is one database and the store on it. It is safe for concurrent use.
type Database struct {
	*sql.DB
	Store   *sqlstore.Store
	Address string // what Open takes
	Name    string // for people

	remove func(context.Context) error
}

// Open opens a database: a SQLite file, or the URL of a PostgreSQL database. It
// makes no tables.
func Open(address string) (*Database, error) {
	if !strings.Contains(address, "://") {
		db, err := sqlitestore.Open("sqlite", address)
		if err != nil {
			return nil, err
		}
		store, err := sqlitestore.New(db, sqlitestore.Config{})
		return &Database{DB: db, Store: store, Address: address, Name: address}, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errUnreadable
	}
	db, err := sql.Open("pgx", address)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(10)
	store, err := pgstore.New(db, pgstore.Config{})
	return &Database{DB: db, Store: store, Address: address, Name: strings.TrimPrefix(u.Path, "/")}, err
}

// errUnreadable does not repeat the URL, which may have a password.
var errUnreadable = errors.New("the URL of PostgreSQL cannot be read: write postgres://user:password@host:port/database")

// Create makes and opens an empty database for each name. The server is the URL
// of a PostgreSQL server, or empty for SQLite files. Remove removes them.
func Create(ctx context.Context, server string, names ...string) (all []*Database, err error) {
	for _, name := range names {
		var d *Database
		if server == "" {
			d, err = createFile(name)
		} else {
			d, err = createDatabase(ctx, server, name)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the database %s: %w", name, err), Remove(all))
		}
		all = append(all, d)
	}
	return all, nil
}

func createFile(name string) (*Database, error) {
	dir, err := os.MkdirTemp("", "outbox-shop-")
	if err != nil {
		return nil, err
	}
	d, err := Open(filepath.Join(dir, name+".db"))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	d.remove = func(context.Context) error { return os.RemoveAll(dir) }
	return d, nil
}

// createDatabase makes a database with a name that no other run has.
func createDatabase(ctx context.Context, server, name string) (*Database, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, errUnreadable
	}
	database := "outbox_" + name + "_" + strings.ToLower(outbox.NewID())
	if err := execute(ctx, server, "CREATE DATABASE "+database); err != nil {
		return nil, err
	}
	remove := func(ctx context.Context) error {
		return execute(ctx, server, "DROP DATABASE "+database+" WITH (FORCE)")
	}
	u.Path = "/" + database
	d, err := Open(u.String())
	if err != nil {
		return nil, errors.Join(err, remove(context.WithoutCancel(ctx)))
	}
	d.remove = remove
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

// Remove closes the databases that Create made, and removes them.
func Remove(all []*Database) error {
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
