// Package backoff waits between the attempts at something that others are in the
// way of.
package backoff
