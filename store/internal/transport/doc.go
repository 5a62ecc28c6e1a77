// Package transport is the seam under the engine of the SQL stores: what carries
// its statements to the database. Package sqlstore has one for database/sql,
// package pgxstore one for pgx's own interface.
//
// A [Pool] gives a [Conn], which runs one transaction of the engine's and goes
// back. A [Querier] sends statements inside a transaction, the engine's own or
// the caller's. Errors come back as the driver made them, so that the dialect can
// say what they mean; [NotBegun] and [Ours] mark what a driver's error cannot
// tell.
package transport
