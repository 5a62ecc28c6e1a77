// Package driver is the contract between a relay and what it stands on: the
// relay's half of a store, the powers that a store or a sink may have beside,
// dead letters, and the ledger of consumers. It is for those who write drivers;
// whoever uses the library needs package outbox alone.
//
// A driver is whatever passes package storetest, sinktest or inboxtest.
package driver
