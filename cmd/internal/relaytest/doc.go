// Package relaytest runs the relay on every database.
package relaytest
