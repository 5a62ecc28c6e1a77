// Package sqlstore is the engine behind the SQL stores: one implementation of
// both halves of a store, for every [Dialect], over database/sql and, in package
// pgxstore, over pgx's own interface.
//
// Applications use a dialect's own package, which brings the SQL:
//
//	store, err := pgstore.New(db, pgstore.Config{})
//	if err != nil { ... }
//	if err := store.Migrate(ctx); err != nil { ... }
//
// What all databases share is in the [Engine]: transactions, deadlines,
// retries, the mapping of rows, the classification of errors. A [Store] is the
// engine with the transactions of database/sql. What differs is a value, the
// Dialect: SQL text in files, how a batch is bound, how errors are classified,
// and which of a few strategies inserts, claims and settles. No code asks which
// database it talks to.
//
// The relay's statements run in explicit transactions of their own, each with a
// deadline, and use no session state, so they work through poolers that hand
// out connections per transaction. Serialization failures and deadlocks are
// retried here; a lost connection is reported as [outbox.ErrStoreDown], because
// only the caller knows whether to go on. The writer's half uses the caller's
// transaction as it is and retries nothing.
package sqlstore
