// Package drivers has the two examples of docs/drivers.md: kvstore, a store with
// nothing but its two halves, and filesink, a sink. Both pass the suites.
package drivers
