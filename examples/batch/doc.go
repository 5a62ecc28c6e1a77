// Package batch receives events many at a time, for destinations that are cheaper
// in bulk: an index, a warehouse, a file.
//
// A batch listener answers for each event. One that fails is retried alone, and the
// others are done.
package batch
