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
