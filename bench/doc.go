// Command bench measures how fast the outbox is, compared with its peers and
// with what the database can do at all, and prints for each figure whether it
// meets the project's goal.
//
// A scenario has variants: ours in one or two configurations, peers, and often
// a floor, which is the store's own statements sent without anything around
// them. A run is one variant once. All variants of a scenario run one after the
// other, and then again, so that a machine that slows down slows all of them. A
// figure is the median of its runs; the lowest and the highest are printed next
// to it, since two figures that are closer than identical runs are equal.
//
// Every event has a number. The listener counts each number, and so every run
// knows what was lost and what came twice: not what a relay believes, but what
// arrived.
package main
