// Package rediscache remembers in Redis what consumer groups have consumed, in
// front of the ledger, for all instances of a service.
//
//	cache, err := rediscache.New(client, rediscache.Config{Database: "shop"})
//	...
//	consumer, err := inbox.New(store, inbox.Config{Group: "billing", Cache: cache})
//
// The keys are outbox:consumed:database:group:id. Redis may lose them, be
// emptied or be down at any time: the ledger decides. After you restore the
// ledger's database to an earlier state, empty the cache: it would know events
// that the ledger does not.
package rediscache
