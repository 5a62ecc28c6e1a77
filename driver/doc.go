// Package driver is the contract between a relay and its drivers: the relay's
// half of a store, the optional interfaces of stores and sinks, dead letters,
// and the ledger of consumers. It is for those who write drivers; users of the
// library need only package outbox.
//
// A driver is whatever passes package storetest, sinktest or inboxtest.
package driver
