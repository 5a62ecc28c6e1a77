// Package sqlx writes events in a transaction of github.com/jmoiron/sqlx.
//
// An *sqlx.Tx wraps a *sql.Tx under the name Tx, which is what the writer takes:
// w.Write(ctx, tx.Tx, event).
package sqlx
