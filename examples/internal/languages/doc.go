// Package languages runs the examples that are written in other languages than
// Go, as their readers do: with scripts/sample.
package languages
