// Package ent writes events in a transaction of entgo.io/ent.
//
// The writer made with store.ORM takes whatever can run a statement, commit and
// roll back. That is the *sql.Tx of ent's package dialect/sql, as here, and it is
// the *ent.Tx of a client generated with the feature sql/execquery:
//
//	//go:generate go run -mod=mod entgo.io/ent/cmd/ent generate --feature sql/execquery ./schema
//
//	ctx, done := w.Track(ctx)
//	defer done(outbox.ErrRolledBack)
//	tx, err := client.Tx(ctx)
//	...
//	err = tx.Order.Create().SetTotal(12).Exec(ctx)
//	...
//	_, err = w.Write(ctx, tx, event)
//	...
//	return done(tx.Commit())
//
// No client is generated here, to keep the folder small.
package ent
