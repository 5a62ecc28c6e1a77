package pgstore

import (
	"database/sql"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// New makes a store on a pool. It sends nothing to the database. The zero
// value of the configuration is the documented default. It fails only on invalid
// table names, with [github.com/sendoff-go/outbox/driver.ErrName].
func New(db *sql.DB, c Config) (*sqlstore.Store, error) {
	return sqlstore.New(db, Dialect(), c)
}

// The engine's types, for drivers that import only this package.
type (
	// Config changes a store.
	Config = sqlstore.Config
	// Tables names the tables.
	Tables = sqlstore.Tables
	// Queries are the statements.
	Queries = sqlstore.Queries
	// Store is a store on database/sql.
	Store = sqlstore.Store
)

// LockWait is how long a renewal or a settle waits for a row that another
// session has locked, and at most a third of the time that is left to the call by
// [sqlstore.Config.StatementTimeout] and the deadline of its context. Then it goes
// on without that row.
const LockWait = sqlstore.LockWait

// Resolve returns the statements with those table names in them, for a driver
// that runs them itself. It fails only on invalid names, with
// [github.com/sendoff-go/outbox/driver.ErrName].
func Resolve(t Tables) (Queries, error) {
	r, err := resolve(t)
	return r.Queries, err
}

func resolve(t Tables) (sqlstore.Resolved, error) { return sqlstore.Resolve(Dialect(), t) }

// SchemaVersion is the version of the tables that this program needs.
func SchemaVersion() int { return sqlstore.SchemaVersion(Dialect()) }
