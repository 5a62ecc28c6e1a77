// Package testing is a small shop and its tests: what does it write, when, and
// what do the listeners do with it? Package outboxtest answers without a relay,
// without waiting and, with memstore, without a database.
package testing
