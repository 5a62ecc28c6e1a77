// Package databasesql writes events in a *sql.Tx that the application begins and
// ends itself, and reports the commit to the writer (Writer.Track).
//
// A writer for database/sql takes *sql.Tx and nothing else: handing it the pool
// does not compile. Track is optional: without it events are delivered at the
// next poll instead of right after the commit.
//
// A SAVEPOINT inside the transaction needs no special care: events rolled back
// with it are not delivered.
package databasesql
