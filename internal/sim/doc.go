// Package sim simulates relays: the real package core and the reference store,
// with everything around them under the control of a seeded scheduler.
//
// [Run] plays one schedule. Several relays, each with its own clock, programs that
// call RunOnce, writers, destinations and a database live in one [world] with one
// queue of future actions. Requests and answers take their time, are lost, repeated or come
// after their sender gave up; processes are killed or frozen between any two
// steps, or end their Run and start it again; their clocks are set; transactions
// commit after their writer's death; other sessions lock rows, for which
// statements then wait; the database refuses outcomes; destinations hang,
// refuse, fail and answer partially, or are known to some relays only. A ledger
// outside checks the promises, including that everything is delivered within a
// stated time once the faults have ended.
//
// A seed is a bug report: it gives the same run again, with a trace that reads
// like a story.
package sim
