// Package ottercache keeps what consumer groups have had in the memory of the
// process, in front of the ledger. It saves the database the duplicates that come
// back to the same instance; what another instance consumed it does not know.
//
//	cache, err := ottercache.New(ottercache.Config{})
//	...
//	defer cache.Close()
//	consumer, err := inbox.New(store, inbox.Config{Group: "billing", Cache: cache})
package ottercache
