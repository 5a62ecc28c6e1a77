// Package place has the databases of a run: SQLite files in a temporary folder,
// or databases made for the run on a PostgreSQL server. The shop makes them and
// removes them at the end; each program opens its own by its address.
package place
