// Package demo shows an outbox at work: a small shop takes orders at a steady
// rate, each step of an order is a business transaction that writes events, and
// listeners in the same process receive them.
//
// One type fails now and then and is retried, some events of others are refused and
// become dead letters, a destination is down now and then, a consumer group takes
// each order once, and some transactions are rolled back together with their events.
// The demo counts what the listeners receive and compares it with what was
// committed. It also serves the console; the audit log says what people did there,
// so that it does not count as a loss or a duplicate.
package demo
