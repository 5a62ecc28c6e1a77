package sqlitestore

import (
	"database/sql"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// New makes a store with the default configuration on a pool, best one that
// [Open] made. It sends nothing to the database.
func New(db *sql.DB) *sqlstore.Store {
	store, err := NewWith(db, sqlstore.Config{})
	if err != nil { // cannot happen: the default names are valid
		panic(err)
	}
	return store
}

// NewWith makes a store. It fails only on invalid table names, with
// [github.com/sendoff-go/driver.ErrName].
func NewWith(db *sql.DB, c sqlstore.Config) (*sqlstore.Store, error) {
	return sqlstore.New(db, Dialect(), c)
}
