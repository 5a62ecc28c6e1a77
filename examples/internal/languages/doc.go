// Package languages runs the examples in languages other than Go, as their readers
// do: with scripts/sample.
package languages
