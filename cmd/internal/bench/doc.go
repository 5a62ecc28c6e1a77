// Package bench measures an outbox on a database: how fast a backlog drains,
// how soon an event arrives after its commit, and how many transactions with
// an event a second go all the way.
//
// Everything is counted at the listener and compared with what was committed.
// The tables are the benchmark's own and are dropped at the end.
package bench
