// Package membererr reads the errors that members of a Hazelcast cluster answer
// with, for the sink and the store.
package membererr
