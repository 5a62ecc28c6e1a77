// Package tidbstore keeps an outbox in TiDB. Bring a driver; this package is
// tested with github.com/go-sql-driver/mysql.
//
//	import _ "github.com/go-sql-driver/mysql"
//
//	db, err := sql.Open("mysql", "shop@tcp(localhost:4000)/shop?interpolateParams=true")
//	if err != nil { ... }
//	store, err := tidbstore.New(db, tidbstore.Config{})
//	if err != nil { ... }
//	if err := store.Migrate(ctx); err != nil { ... }
//	w := outbox.NewWriter(store)
//
// It is the dialect of package mysqlstore with other tables and other claims. The
// server accepts SKIP LOCKED and takes no lock; this package never sends it. A
// claim finds rows without a lock, locks them with NOWAIT, and takes those that
// are still free. Where another relay is at the head of a lane, it takes the rows
// behind.
//
// The default of available_at and created_at is the time of the session's zone,
// because the server allows no other. This package gives both times in UTC; a
// program that INSERTs by itself must do so too, or have the time zone +00:00.
//
// An event table that another program made cannot be adopted. Further differences
// are in docs/tidb.md.
package tidbstore
