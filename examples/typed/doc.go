// Package typed defines an event type once, with the Go type of its payload, for
// those who write it and those who receive it. A payload of another type does not
// compile, and nobody spells the event type's name twice.
//
// outbox.Publishing goes one step further: it makes a function that runs in a
// transaction and writes what it returns.
package typed
