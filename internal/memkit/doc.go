// Package memkit is what tests of dead letters and delivered events share: it
// writes events to a store in memory and settles them, without a relay.
package memkit
