package pgstore

import "github.com/sendoff-go/outbox/store/sqlstore"

// Tables and Queries are those of the engine, for drivers that stand on this
// package alone.
type (
	Tables  = sqlstore.Tables
	Queries = sqlstore.Queries
)

// Resolve gives the statements with those table names in them, for a driver
// that runs them itself. It fails only on invalid names.
func Resolve(t Tables) (Queries, error) { return sqlstore.Resolve(Dialect(), t) }
