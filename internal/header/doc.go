// Package header encodes the headers of an event as a store keeps them.
package header
