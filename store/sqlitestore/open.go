package sqlitestore

import (
	"database/sql"
	"fmt"
	"net/url"
	"strings"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Open opens a database file with the settings that an outbox needs:
// write-ahead log, every commit synced, foreign keys on, a busy timeout of ten
// seconds, transactions that take the write lock when they begin, and one
// connection. The driver is the name under which it is registered: "sqlite" for
// modernc.org/sqlite, "sqlite3" for github.com/mattn/go-sqlite3. The path may
// be a file: URI; ":memory:" lives as long as the pool.
func Open(driver, path string) (*sql.DB, error) {
	dsn, err := dataSource(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1) // an in-memory database ends with its connection
	db.SetConnMaxLifetime(0)
	db.SetConnMaxIdleTime(0)
	return db, nil
}

// dataSource adds the settings in the syntax of both drivers; each ignores the
// other's.
func dataSource(path string) (string, error) {
	if !strings.HasPrefix(path, "file:") {
		path = "file:" + (&url.URL{Path: path}).EscapedPath()
	}
	name, query, _ := strings.Cut(path, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", fmt.Errorf("sqlitestore: the parameters of %q cannot be read: %w", path, err)
	}
	for _, pragma := range []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"} {
		values.Add("_pragma", pragma)
	}
	for key, value := range map[string]string{
		"_txlock": "immediate", "_busy_timeout": "10000", "_journal_mode": "WAL", "_synchronous": "FULL", "_foreign_keys": "1",
	} {
		values.Set(key, value)
	}
	return name + "?" + values.Encode(), nil
}

// Config changes a store. The zero value is the documented default.
type Config = sqlstore.Config

// New makes a store on a pool, best one that [Open] made. It sends nothing to the database. The zero
// value of the configuration is the documented default. It fails only on invalid
// table names, with [github.com/sendoff-go/outbox/driver.ErrName].
func New(db *sql.DB, c Config) (*sqlstore.Store, error) {
	return sqlstore.New(db, Dialect(), c)
}
