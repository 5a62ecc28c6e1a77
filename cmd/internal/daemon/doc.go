// Package daemon is `outbox relay`: it wires a configuration to a store, sinks
// and a relay, answers for its health, and shuts down in good order.
//
//	d, err := daemon.New(cfg, daemon.Options{Drivers: drivers, Logger: log})
//	if err != nil { ... } // the configuration cannot work
//	err = d.Run(ctx)      // until ctx is done
//
// It reads as a list of its parts: config (a package of its own), senders.go,
// routes.go, database.go, daemon.go, cleanup.go, health.go, metrics.go.
package daemon
