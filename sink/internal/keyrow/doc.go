// Package keyrow keeps the order of a key inside one Send, for sinks whose
// server may refuse one message and accept a later one.
package keyrow
