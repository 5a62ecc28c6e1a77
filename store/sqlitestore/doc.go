// Package sqlitestore keeps an outbox in SQLite: one file, no server, the same
// rules. Bring a driver; this package is tested with modernc.org/sqlite.
//
//	import _ "modernc.org/sqlite"
//
//	db, err := sqlitestore.Open("sqlite", "shop.db")
//	if err != nil { ... }
//	store, err := sqlitestore.New(db, sqlitestore.Config{})
//	if err != nil { ... }
//	if err := store.Migrate(ctx); err != nil { ... }
//	w := outbox.NewWriter(store)
//
// SQLite has one writer at a time. [Open] therefore gives the pool a single
// connection, which business transactions and the relay share: they queue in
// the order in which they come. With several connections they would wait on
// SQLite's busy handler instead, which is unfair and can starve the relay for
// seconds. While a transaction is open everything else waits, so keep
// transactions short, and inside one use its tx and never the pool: that would
// deadlock until its context ends. For heavy reading open a second pool on the
// same file.
//
// SQLite locks the whole database, never a row, so no call names locked rows. A
// call that finds the database busy, because another process writes for longer
// than the driver's busy timeout, is retried a few times and then fails with
// [outbox.ErrStoreDown]: nothing of it was applied, and it may be sent again.
// Drivers do not interrupt the busy timeout, so a call that another process holds
// up ends by that much, ten seconds with [Open], later than its deadline.
//
// Times are kept to the millisecond, as numbers since 1970. Programs that INSERT
// rows themselves may leave them out, or pass a text that SQLite understands,
// such as CURRENT_TIMESTAMP; any other text is refused.
//
// The database cannot report whether a write is inside a savepoint, so the hot
// path looks each event up before it delivers it. The package needs SQLite 3.43
// or later.
//
// SQLite parses the text of a statement each time, which takes longer than
// running a small one. The store keeps its own statements prepared on the pools
// that it was given; prepare yours too.
package sqlitestore
