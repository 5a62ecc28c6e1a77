// Package outboxtest helps users test code that writes or receives events.
//
//   - A [Recorder] notes what was written, committed and rolled back, and
//     answers for assertions: an event of this type was written here.
//   - [Deliver] hands what is due to the listeners of a registry, at once and
//     in the caller's goroutine, and settles it.
//   - [FlakyStore] and [FlakySink] fail as they are told to: they refuse, lose
//     the answer, or hang.
//   - A [Clock] stands still until it is moved; package memstore takes one.
//
// Everything in it is safe for concurrent use.
package outboxtest
