// Package gorm writes events in a transaction of gorm.io/gorm, nested ones
// included.
//
// GORM keeps the transaction in tx.Statement.ConnPool: a *sql.Tx, or a wrapper of
// one where statements are prepared (gorm.Config.PrepareStmt). The writer made with
// store.ORM takes both as a sqlstore.Tx. What is not in a transaction is no
// sqlstore.Tx, and Write refuses it with outbox.ErrNoTransaction.
//
// A nested Transaction is a savepoint. What is written inside of it and rolled back
// is not delivered; the commit that counts, and the one that is reported, is that
// of the outermost Transaction.
package gorm
