// Package watch remembers which transaction a caller has asked to be watched:
// the first one that is used with the context.
package watch
