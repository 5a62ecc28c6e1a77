// Package outboxtest helps users test code that writes or receives events.
//
//   - A [Recorder] notes what was written, committed and rolled back, and has
//     assertions such as: an event of this type was written.
//   - [Deliver] hands what is due to the listeners of a registry, at once and
//     in the caller's goroutine, and settles it.
//   - [FlakyStore] and [FlakySink] fail on demand: they refuse, lose the
//     answer, or hang.
//   - A [Clock] stands still until it is moved; package memstore takes one.
//
// Everything in it is safe for concurrent use.
package outboxtest
