// Package pgx writes events in a transaction of github.com/jackc/pgx/v5, nested ones
// included, without database/sql.
//
// The store is pgxstore, and its writer takes a pgx.Tx; a *pgxpool.Pool does not
// compile. The relay hears of other processes' commits through LISTEN.
//
// A transaction begun on a pgx.Tx is a savepoint, and another pgx.Tx. Events
// written inside it and rolled back are not delivered. Only the commit of the
// outermost transaction counts, and that one is reported. The writer follows
// the pgx.Tx that writes first: its events are delivered right after the
// commit, those of the others by the next poll.
package pgx
