// Package drivers tests the dialects with the drivers that users may choose and
// the library does not depend on: github.com/lib/pq for PostgreSQL, and
// github.com/mattn/go-sqlite3 for SQLite. It is a separate module to keep them
// out of the library's.
package drivers
