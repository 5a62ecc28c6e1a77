// Package hazelrig shows to tests what listeners in Java get from Hazelcast
// topics: it runs one, with the jar of the member.
//
//	l := hazelrig.Start(t)
//	defer l.Stop()
//	l.Listen(t, "orders", true)
//	...
//	l.Receive(t, "orders", 10, await.Patience)
package hazelrig
