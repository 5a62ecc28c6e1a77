// Package kvstore is an example of a store: a database of keys and values in one
// file, whose transactions can also write events. It has the two halves of a store
// and no power, which is all that a relay and the laws of package storetest need.
//
// It is small because it does everything in the simplest way that is right: one
// transaction at a time, and every change writes the whole file anew. Do not use it
// for more than a few thousand rows.
package kvstore
