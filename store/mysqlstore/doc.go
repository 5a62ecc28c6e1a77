// Package mysqlstore keeps an outbox in MySQL 8.0.13 or later, or MariaDB 10.6
// or later. Bring a driver; this package is tested with
// github.com/go-sql-driver/mysql.
//
//	import _ "github.com/go-sql-driver/mysql"
//
//	db, err := sql.Open("mysql", "shop@tcp(localhost:3306)/shop")
//	if err != nil { ... }
//	store, err := mysqlstore.New(db, mysqlstore.Config{})
//	if err != nil { ... }
//	if err := store.Migrate(ctx); err != nil { ... }
//	w := outbox.NewWriter(store)
//
// The application chooses the driver's settings: parseTime, loc,
// interpolateParams, clientFoundRows and multiStatements may have any value.
// With interpolateParams a statement costs one round trip instead of two.
//
// The business transaction may have any isolation. The relay's own run under
// READ COMMITTED, where InnoDB locks no gaps; the binary log must therefore not
// be in the format STATEMENT. The relay's calls are retried after a deadlock;
// in the caller's own transaction the caller handles it.
//
// A renewal and a settle wait a second or two, since the servers count whole
// seconds, for a row that another session has locked, and then go on without
// it. For that they set innodb_lock_wait_timeout and disable
// max_execution_time, or MariaDB's max_statement_time, in their session, and
// restore them; other calls do so after they have run into a limit. MariaDB
// keeps the rows that a claim has passed over locked until the claim commits,
// which MySQL does not: if its disk stalls for longer than that wait, relays
// report rows of each other as locked, and settle them a moment later.
//
// A call of the relay ends with its context, also if the server falls silent at
// COMMIT. The transaction of a writer's InTx, or of the store's Begin, is a
// [database/sql.Tx], whose COMMIT and ROLLBACK go-sql-driver/mysql ends with no
// context: they may wait for a silent server without end, unless the DSN has a
// readTimeout. That must be longer than any statement of the pool takes.
//
// With a binary log in the full row image, which is the default, each claim and
// each settle writes the payload to the log again: if payloads are large, set
// binlog_row_image to NOBLOB or MINIMAL.
//
// Times are kept as UTC, to the microsecond. The server cannot report whether a
// write is inside a savepoint, so the hot path looks each event up before it
// delivers it. TiDB accepts SKIP LOCKED and ignores it: package tidbstore is for
// TiDB.
package mysqlstore
