// Package typed defines an event type once, with the Go type of its payload,
// for those who write it and those who receive it. A payload of another type
// does not compile, and the event type is spelled only once.
package typed
