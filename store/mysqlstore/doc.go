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
// The driver's settings are the application's: parseTime, loc, interpolateParams,
// clientFoundRows and multiStatements may be as they like. With interpolateParams
// a statement costs one round trip in place of two.
//
// The business transaction may have any isolation. The relay's own run under
// READ COMMITTED, where InnoDB locks no gaps; the binary log must therefore not
// be in the format STATEMENT. Deadlocks of the relay are repeated and not seen
// outside; the caller's own are the caller's.
//
// A renewal and a settle wait for a row that another session has locked for a
// second or two, since the servers count whole seconds, and then deal with the
// others alone. For that they set innodb_lock_wait_timeout, and lift
// max_execution_time or MariaDB's max_statement_time, for their session, and
// set them back; other calls do once they have run into one.
//
// With a binary log in the full row image, which is the default, each claim and
// each settle writes the payload to the log again: where payloads are large, set
// binlog_row_image to NOBLOB or MINIMAL.
//
// Times are kept as UTC, to the microsecond. The server cannot tell whether a
// write stands inside a savepoint, so the hot path looks each event up before it
// delivers it. TiDB accepts SKIP LOCKED and ignores it: it is not supported.
package mysqlstore
