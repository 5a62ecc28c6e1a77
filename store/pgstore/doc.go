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
// Batches travel as one array text for each column, so a statement has the same
// text whatever the size of its batch. Everything works through PgBouncer in
// transaction mode; with pgx, add default_query_exec_mode=exec to the URL then.
//
// Limits of the role or the database on locks, statements, transactions and idle
// sessions do not change what the relay's calls mean. A renewal and a settle send
// their own first, which costs a round trip; other calls do once they have run
// into one. A renewal and a settle wait for a row that another session has locked
// for [LockWait], and then deal with the others alone.
//
// The database tells whether a write stands inside a savepoint, so the hot path
// delivers at once what does not. An event table that is a view or partitioned
// cannot tell; events are then looked up before they are delivered.
package pgstore
