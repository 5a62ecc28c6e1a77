// Package quickstart is a whole application in one function: a database file, a
// listener in the same process, and a relay that delivers right after the commit.
//
// The writer begins and ends the transaction (Writer.InTx), so it knows about
// the commit. Where your own code or an ORM begins it, see the other examples.
package quickstart
