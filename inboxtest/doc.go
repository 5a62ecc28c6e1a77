// Package inboxtest defines a ledger of consumed events as whatever passes
// [Run], and a cache in front of one as whatever passes [RunCache]. Each duty
// is a [Law], a subtest named as a sentence, and a law that fails says why it
// matters.
//
//	func TestLedger(t *testing.T) { inboxtest.Run(t, open, oracle) }
//
//	// open returns a fresh, empty, migrated ledger.
//	func open(t testing.TB) inboxtest.Subject[*sql.Tx] {
//		db := ...
//		return inboxtest.Subject[*sql.Tx]{Ledger: mystore.New(db), ...}
//	}
//
//	// oracle is the model that the random test compares the ledger with.
//	func oracle(testing.TB) inboxtest.Subject[*memstore.Tx] { ... }
//
// A ledger is tested only by its answers, and through the consumer of package
// inbox.
package inboxtest
