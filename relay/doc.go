// Package relay delivers stored events: at once from memory after the commit
// (the hot path), or by claiming waiting rows (the cold path).
//
// A [Relay] has one lane per event type, with queues, workers, retries and a
// pause switch of its own, so that a slow or broken type delays only itself,
// and later events of the aggregates that it is about. All decisions are made by
// package core, a state machine without I/O. Around it are loops, one per file,
// all of the same shape: lock, step, unlock, act. Each is a type of its own that
// has only what it uses; wire.go puts them together.
//
//	commit -> hot.go  \
//	                    core -> worker.go -> deliver.go -> core -> settle.go
//	claim  -> poll.go /
//
// with hold.go keeping the leases of everything in memory. The lock is never
// held while a listener, a hook, a retry policy, a log or a statement runs.
//
// It promises neither an order across relays or retries, nor that an event is
// delivered only once if something fails.
package relay
