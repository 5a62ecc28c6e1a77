// Package databasesql writes events in a *sql.Tx that the application begins and
// ends itself, and reports the commit to the writer (Writer.Track).
//
// A writer for database/sql takes *sql.Tx and nothing else: handing it the pool
// does not compile. Without Track everything works too; events are then delivered
// at the next poll in place of right after the commit.
//
// A SAVEPOINT inside the transaction needs no care: what is rolled back with it is
// not delivered.
package databasesql
