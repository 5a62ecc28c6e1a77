// Package pgstore keeps an outbox in PostgreSQL 15 or later, through
// database/sql and whatever driver the application has: pgx's stdlib or lib/pq.
//
//	import _ "github.com/jackc/pgx/v5/stdlib"
//
//	db, err := sql.Open("pgx", url)
//	if err != nil { ... }
//	store, err := pgstore.New(db, pgstore.Config{})
//	if err != nil { ... }
//	if err := store.Migrate(ctx); err != nil { ... }
//	w := outbox.NewWriter(store)
//
// The tables are in the schema public unless Tables.Schema of [Config] names
// another one. The search_path of a connection has no effect on that.
//
// A batch is sent as one array per column, so a statement has the same text
// whatever the size of its batch. Everything works through PgBouncer in
// transaction mode; with pgx, then add default_query_exec_mode=exec to the URL.
//
// Timeouts of the role or the database for locks, statements, transactions and
// idle sessions do not change the meaning of the relay's calls. A renewal and a
// settle set their own first, which costs a round trip; other calls do so after
// they have run into one. A renewal and a settle wait up to [LockWait] for a
// row that another session has locked, and then go on without it.
//
// With lib/pq, a call whose server falls silent without closing the connection
// waits until the operating system gives the connection up: the driver sends a
// cancellation and waits for the answer, whatever the deadline is. Pgx does not.
//
// The database reports whether a write is inside a savepoint, so the hot path
// delivers writes outside of one at once. If the event table is a view or
// partitioned, the database cannot report it, and the hot path looks events up
// before it delivers them.
package pgstore
