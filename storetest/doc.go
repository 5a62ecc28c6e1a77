// Package storetest defines an outbox store as whatever passes [Run]. Each duty
// is a [Law], a subtest named as a sentence, and a law that fails says why it
// matters.
//
//	func TestStore(t *testing.T) { storetest.Run(t, open, oracle) }
//
//	// open gives a fresh, empty, migrated store.
//	func open(t testing.TB) storetest.Subject[*sql.Tx] {
//		db := ...
//		return storetest.Subject[*sql.Tx]{Store: mystore.New(db), ...}
//	}
//
//	// oracle is the model that the random test compares the store with.
//	func oracle(testing.TB) storetest.Subject[*memstore.Tx] {
//		s := memstore.New(memstore.Config{})
//		return storetest.Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
//	}
//
// A store must have two halves, [driver.Store] and [outbox.TxStore]; their laws
// need nothing else. Each further [Power] has its own laws, which run if the
// store has it. The log of Run says which powers were found and which laws were
// left out.
//
// A store is tested only by its answers. What only the database can show (query
// plans, indexes, migrations) is for the driver's own tests.
package storetest
