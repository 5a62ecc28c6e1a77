// Package pgxstore keeps an outbox in PostgreSQL 15 or later through pgx's own
// interface: the same tables and statements as package pgstore, with native
// arrays, one round trip for each call of the relay, and LISTEN/NOTIFY.
//
//	pool, err := pgxpool.New(ctx, url)
//	if err != nil { ... }
//	store, err := pgxstore.New(pool, pgxstore.Config{})
//	if err != nil { ... }
//	defer store.Close()
//	if err := store.Migrate(ctx); err != nil { ... }
//	r, err := relay.New(store, reg, relay.Config{Wakers: []driver.Waker{store.Waker(nil)}})
//	w := outbox.NewWriter(store, r.HotPath())
//
//	err = w.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error { ... })
//
// The tables are in the schema public unless Tables.Schema of [Config] names
// another one. The search_path of a connection has no effect on that.
//
// # Connections
//
// Writers use the transaction they are given. [Store.Begin] and the calls of
// operators (dead letters, stats) use the caller's pool. The relay's own calls
// use a second, small pool that the store derives from the first one's
// configuration, so that an application that has taken every connection cannot
// keep the relay from renewing its leases. It has at most [Config.RelayConns]
// connections. The first such call opens it, and [Store.Close] closes it; a
// process that only writes never opens it. [Config.Relay] replaces it.
//
// A [Waker] holds one more connection, for LISTEN.
//
// # Transactions
//
// Each call of the relay is BEGIN ISOLATION LEVEL READ COMMITTED, its
// statements and COMMIT, sent together if it has one statement: the default
// isolation of the role does not matter, and the answer to COMMIT comes with
// the rows. Serialization failures and deadlocks are retried, a connection
// whose server became a replica is closed, and a lost connection is reported as
// [outbox.ErrStoreDown], because only the caller knows whether to go on.
//
// Timeouts of the role or the database for locks, statements, transactions and
// idle sessions do not affect the store's own calls: each sends its own with
// BEGIN. A renewal and a settle wait up to [pgstore.LockWait] for a row that
// another session has locked, and then go on without it.
//
// A transaction that pgx nests in another (tx.Begin) is a savepoint with its
// own [pgx.Tx]: what is written through it is stored, and the poller delivers
// it if the outermost transaction commits.
//
// # Poolers
//
// Only LISTEN needs a session. Everything else works through PgBouncer in
// transaction mode if the pool sends no named prepared statements: add
// default_query_exec_mode=exec to its URL; cache_describe and simple_protocol
// work too. The default, which names its statements, is the fastest without a
// pooler. Give a [Waker] its own configuration that bypasses the pooler.
package pgxstore
