// Package demo shows an outbox at work: a small shop takes orders at a steady
// rate, each step of an order is a business transaction that writes events, and
// listeners in the same process receive them.
//
// One type fails now and then and is retried, some events of others are refused
// and end in the dead letters, a destination is down now and then, a consumer group
// takes each order once, and some transactions are rolled back together with their
// events. What arrives is counted where it is received and compared with what was
// committed. The console of the outbox is served beside it; what people do there is
// found in the audit log, so that it is not taken for a loss or a duplicate.
package demo
