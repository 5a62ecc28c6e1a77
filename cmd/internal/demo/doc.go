// Package demo shows an outbox at work: a small shop takes orders at a steady
// rate, each step of an order is a business transaction that writes an event,
// and listeners in the same process receive them.
//
// One lane fails now and then and is retried, some events of another are
// refused for good and end in the dead letters, and some transactions are
// rolled back together with their event. What arrives is counted at the
// listeners and compared with what was committed.
package demo
