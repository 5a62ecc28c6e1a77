// Package place opens the databases of a run: SQLite files in a temporary
// folder, or databases made for the run on a PostgreSQL server. They are removed
// at the end.
package place
