// Package pgx writes events in a transaction of github.com/jackc/pgx/v5, nested ones
// included, without database/sql.
//
// The store is pgxstore, and its writer takes a pgx.Tx; a *pgxpool.Pool does not
// compile. The relay hears of other processes' commits through LISTEN.
//
// A transaction that is begun on a pgx.Tx is a savepoint, and another pgx.Tx. What
// is written inside of it and rolled back is not delivered; the commit that counts,
// and the one that is reported, is that of the outermost transaction. The writer
// follows the pgx.Tx that writes first: its events are delivered right after the
// commit, those of the others by the next poll.
package pgx
