// Package natssink sends events to NATS JetStream.
//
//	s, err := natssink.Open(natssink.Config{URL: "nats://nats:4222"})
//	...
//	defer s.Close()
//	reg.Route("order-*", s, outbox.To("orders.placed"))
//
// The subject is the destination of the route. A message is delivered when the
// stream that has this subject has acknowledged it; where no stream has it, the
// answer is a failure that says so. Nats-Msg-Id is the event id, so the server
// drops what is sent again within the stream's duplicate window (two minutes,
// unless the stream says otherwise).
//
// A consumer gets the event back with [Message].
//
// What is not promised: NATS has no keys. Messages of one Send arrive in their
// order, whatever their key, and so do those of sends one after the other.
// Headers whose values have line breaks, or spaces at an end, cannot be carried
// by NATS; such a message is refused for good, and so is one with headers that
// begin with "Nats-", which are commands to the server.
package natssink
