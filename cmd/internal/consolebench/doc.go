// Package consolebench measures how long people wait for the console of a large
// outbox.
package consolebench
