// Package relaykit is what the tests of the relay share, in memory and on databases.
package relaykit
