// Package core decides what a relay does. It does no I/O: it uses no mutex,
// context, goroutine, clock, log or hook, and calls no user code.
//
// A [Core] is a state machine. When something happens, the relay calls a method
// of Core with the time: rows were claimed, a run was answered, a transaction
// was committed, a lease was renewed. The Core changes its state and returns
// what to do as [Effects]: run these, cancel that, wake this loop, tell the
// hooks. Work that takes a statement is fetched by the loop that sends it:
// [Core.Poll], [Core.NextSettle], [Core.DueLeases], [Core.Unconfirmed] and
// [Core.DueProbes].
//
//	commit -> hot.go    \
//	                      enlist.go -> lane.go -> dispatch.go -> decide.go -> settle.go
//	claim  -> accept.go /
//
// An event in memory is an [Item] with one [State]; state.go lists the allowed
// transitions, and counts the items in each state. A Core is not safe for
// concurrent use. The same calls with the same times give the same results, so
// that a whole relay can be simulated.
package core
