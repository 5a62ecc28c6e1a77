// Package core decides what a relay does. It does no I/O: it uses no mutex,
// context, goroutine, clock, log or hook, and calls no user code: it carries the
// errors that it is given, and does not ask for their text.
//
// A [Core] is a state machine. When something happens, the relay makes a step
// with the time, and tells one of the parts of the Core: rows were claimed, a run
// was answered, a transaction was committed, a lease was renewed. The parts change
// the events in memory, and the step returns what to do as [Effects]: run these,
// cancel that, wake this loop, tell the hooks. Each loop of the relay has a part,
// from which it fetches the next statement and to which it reports the answer:
//
//	Claims     what to claim            Confirms  rows to look up
//	Outcomes   what to write            Takes     hot events to claim by id
//	Leases     what to renew            Dests     connections to check
//
// The other parts are told what happened elsewhere: Hot by writers, Runs and Lone
// by workers, Decisions by hooks.
//
//	commit -> hot.go    \
//	                      enter.go -> enlist.go -> ready.go -> dispatch.go -> decide.go -> settle.go
//	claim  -> claims.go /
//
// An event in memory is an [Item] with one [State]; state.go lists the allowed
// transitions. All parts share one memory, which is the only one to change a
// state, and counts the events in each. A Core is not safe for concurrent use. The
// same steps at the same times give the same results, so that a whole relay can be
// simulated.
package core
