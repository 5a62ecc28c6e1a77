// Package signals is what the metrics of relays, writers, consumers and stores
// have in common, whatever system they are for: which there are, which labels
// they have and how those are bounded, and which hook counts what. Packages prom
// and otel are the systems.
package signals
