// Package core decides what a relay does. It does no I/O: it knows neither
// mutex, context, goroutine, clock, log nor hook, and calls no code of a user.
//
// A [Core] is a state machine. Something happens, and the relay says so with a
// method of Core that takes the time: rows were claimed, a run was answered, a
// transaction was committed, a lease was renewed. The Core changes its state
// and says what is to be done as [Effects]: run these, cancel that, wake this
// loop, tell the hooks. What takes a statement is fetched by the loop that
// sends it: [Core.Poll], [Core.NextSettle], [Core.DueLeases], [Core.Unconfirmed]
// and [Core.DueProbes].
//
//	commit -> hot.go    \
//	                      enlist.go -> lane.go -> dispatch.go -> decide.go -> settle.go
//	claim  -> accept.go /
//
// An event in memory is an [Item] with one [State]; state.go has all the
// transitions that are allowed, and counts what is in which state. A Core is
// for one goroutine at a time, and the same calls with the same times give the
// same answers, so that a whole relay can be simulated.
package core
