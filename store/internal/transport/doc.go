// Package transport is the interface under the engine of the SQL stores: it
// carries statements to the database. Package sqlstore implements it for
// database/sql, package pgxstore for pgx's own interface.
//
// A [Pool] hands out a [Conn], which runs one transaction of the engine and
// goes back. A [Querier] sends statements inside a transaction, the engine's
// own or the caller's. Errors come back as the driver made them, so that the
// dialect can say what they mean; [NotBegun] and [Ours] mark what a driver's
// error does not say.
package transport
