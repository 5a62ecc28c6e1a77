// Package ottercache remembers in the memory of the process what consumer
// groups have consumed, in front of the ledger. It saves the database the
// duplicates that return to the same instance; it does not know what other
// instances consumed.
//
//	cache, err := ottercache.New(ottercache.Config{})
//	...
//	defer cache.Close()
//	consumer, err := inbox.New(store, inbox.Config{Group: "billing", Cache: cache})
package ottercache
