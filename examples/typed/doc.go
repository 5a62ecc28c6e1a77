// Package typed defines an event type once, with the Go type of its payload, for
// those who write it and those who receive it. A payload of another type does not
// compile, and nobody spells the event type's name twice.
package typed
