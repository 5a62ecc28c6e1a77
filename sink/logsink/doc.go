// Package logsink writes events to a log, for looking at what a relay would
// send. Every message that was written counts as delivered.
//
//	sink, err := logsink.New(logsink.Config{})
//	...
//	registry.Route("*", sink)
//
// It logs what the event is and how large its payload is, and the payload
// itself only if configured: more people read logs than databases.
package logsink
