// Package consolebench measures what a person waits for in the console of a large
// outbox.
package consolebench
