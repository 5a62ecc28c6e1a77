// Package hazelcaststore is an outbox store in maps of a Hazelcast cluster.
package hazelcaststore
