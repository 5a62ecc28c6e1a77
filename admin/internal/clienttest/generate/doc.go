// Package generate makes the client that package clienttest uses. It is apart
// from that, whose tests may not compile with the client before.
package generate
