// Package savepoint tests nested transactions, whatever library begins them: an
// event written inside one is delivered if and only if that one and all around
// it were committed, and with the payload that was committed.
//
// Nested transactions are savepoints of the database. A writer may already have
// handed an event to the hot path when its savepoint is rolled back, which the
// database does not report; so each scenario runs twice, with a relay that
// delivers right after the commit, and with one that starts later.
package savepoint
