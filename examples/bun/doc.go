// Package bun writes events in a transaction of github.com/uptrace/bun, nested ones
// included.
//
// A bun.Tx wraps a *sql.Tx under the name Tx, which is what the writer takes:
// w.Write(ctx, tx.Tx, event). Do not hand over the bun.Tx itself: its methods
// replace the placeholders of every statement in bun's own way.
//
// A nested RunInTx is a savepoint in that same *sql.Tx. What is written inside of
// it and rolled back is not delivered; the commit that counts, and the one that is
// reported, is that of the outermost RunInTx.
package bun
