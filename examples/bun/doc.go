// Package bun writes events in a transaction of github.com/uptrace/bun, nested ones
// included.
//
// A bun.Tx wraps a *sql.Tx under the name Tx, which is what the writer takes:
// w.Write(ctx, tx.Tx, event). Do not pass the bun.Tx itself: its methods
// rewrite the placeholders of every statement.
//
// A nested RunInTx is a savepoint in that same *sql.Tx. Events written inside
// it and rolled back are not delivered. Only the commit of the outermost
// RunInTx counts, and that one is reported.
package bun
