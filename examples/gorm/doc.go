// Package gorm writes events in a transaction of gorm.io/gorm, nested ones
// included.
//
// GORM keeps the transaction in tx.Statement.ConnPool: a *sql.Tx, or a wrapper
// of one where statements are prepared (gorm.Config.PrepareStmt). The writer
// made with store.ORM takes both as a sqlstore.Tx. Outside a transaction it is
// no sqlstore.Tx, and Write refuses it with outbox.ErrNoTransaction.
//
// A nested Transaction is a savepoint. Events written inside it and rolled back
// are not delivered. Only the commit of the outermost Transaction counts, and
// that one is reported.
package gorm
