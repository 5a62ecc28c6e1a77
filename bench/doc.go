// Command bench measures how fast the outbox is, beside its peers and beside
// what the database can do at all, and prints for each figure whether it is
// what the project asks of itself.
//
// A scenario has variants: ours in one or two configurations, peers, and often
// a floor, which is the store's own statements sent without anything around
// them. A run is one variant once. All variants of a scenario run one after the
// other, and then again, so that a machine that slows down slows all of them.
// A figure is the median of its runs; the lowest and the highest are printed
// beside it, since two figures that lie closer than identical runs do are equal.
//
// Every event has a number. The listener counts each number, and so every run
// knows what was lost and what came twice: not what a relay believes, but what
// arrived.
package main
