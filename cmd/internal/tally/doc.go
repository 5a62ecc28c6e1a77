// Package tally counts what becomes of events, at the listener: not what a
// relay believes, but what was committed and what arrived.
//
// The writer numbers its events. A [Ledger] is told each number that was
// committed, by a [Commits] between writer and relay, and each run of the
// listener, and so knows what was lost and what came twice. A [Histogram]
// keeps the latencies.
package tally
