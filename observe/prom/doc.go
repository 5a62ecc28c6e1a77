// Package prom shows a relay, a writer and an outbox to Prometheus:
//
//	m := prom.New(prom.Config{Types: reg.Types(), Store: store})
//	prometheus.MustRegister(m)
//	r, err := relay.New(store, reg, relay.Config{Hooks: m.Hooks()})
//	w := outbox.NewWriter(store, r.HotPath(), outbox.WithWriteHooks(m.WriteHook()))
//
// The names are those of spring-outbox, outbox-java and hazelcast-outbox where
// they have one. Every series exists from the start, with zero, and the event
// types of the configuration bound their number. What is counted in the database
// is counted up to a bound and kept for a while, so that no scrape reads a whole
// table.
//
// A process that only writes passes its store and uses no relay: the age of the
// oldest event then says that nobody delivers.
package prom
