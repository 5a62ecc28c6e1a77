// Package hazelcaststore keeps an outbox in maps of a Hazelcast cluster. It is
// for applications whose own data is in Hazelcast too, so that they need no
// database for their events.
//
//	client, err := hazelcast.StartNewClientWithConfig(ctx, config)
//	if err != nil { ... }
//	store, err := hazelcaststore.New(client, hazelcaststore.Config{})
//	if err != nil { ... }
//	r, err := relay.New(store, reg, relay.Config{})
//	w := outbox.NewWriter(store, r.HotPath())
//
//	err = w.InTx(ctx, func(ctx context.Context, tx *hazelcaststore.Tx) error {
//		_, err := w.Write(ctx, tx, event)
//		return err
//	})
//
// # No transaction with the application's data
//
// The client has no transactions. A [Tx] makes several events visible together,
// or none of them, and nothing else: a change of the application's own maps is
// another call. If the process dies between the two, one of them is missing.
// docs/hazelcast.md says how to live with that.
//
// # How it works
//
// An event is one entry, a HazelcastJsonValue. Every change of an entry is a
// PutIfAbsent, ReplaceIfSame or RemoveIfSame, which names what it expects to
// find, so that of several processes one succeeds. What takes several entries
// (a Tx of several events, the move to the dead letters and back) begins with
// one such call that decides, and whoever finds the rest undone finishes it.
//
// Pending entries are found by a sorted index on lane and due time, a window at
// a time, since the client cannot limit a query.
//
// # The clock
//
// Times are those of the members, not of the process: the store reads a member's
// clock at its first call and every 30 seconds, and adds what its own monotonic
// clock says. Two processes agree to about the time of a round trip. No lease
// ends earlier for that; a delayed event may be claimed earlier by that much, at
// most 250 ms.
//
// # What it does not promise
//
// A Settle is not one transaction: if it fails halfway, some outcomes are
// applied. Lanes, and a claim whose position nobody knows, cost the members a
// look at every pending entry. Entries are as durable as the cluster's memory:
// give the maps at least one backup, and neither eviction nor a time to live.
package hazelcaststore
