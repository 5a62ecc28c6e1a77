// Package relay delivers what writers stored: at once from memory after the
// commit (the hot path), or by claiming waiting rows (the cold path).
//
// A [Relay] has one lane per event type, with queues, workers, retries and a
// pause switch of its own, so that a slow or broken type delays only itself.
// Data flows one way:
//
//	commit -> hot.go  \
//	                    lane.go -> dispatch.go -> settle.go -> sweep.go
//	store  -> poll.go /
//
// with hold.go keeping the leases of whatever is in memory. Each loop has a
// file of its own. All state is guarded by one mutex, which is never held
// while a listener or a statement runs.
//
// What is not promised: an order across relays, or across retries; and that an
// event is delivered once if something fails.
package relay
