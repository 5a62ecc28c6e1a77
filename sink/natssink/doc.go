// Package natssink sends events to NATS JetStream.
//
//	s, err := natssink.New(natssink.Config{URL: "nats://nats:4222"})
//	...
//	defer s.Close()
//	reg.Route("order-*", s, outbox.To("orders.placed"))
//
// The subject is the destination of the route. A message is delivered when the
// stream that has this subject has acknowledged it; where no stream has it, the
// answer is a failure that says so. Nats-Msg-Id begins with the event id and
// names this very message, so the server drops what is sent again within the
// stream's duplicate window (two minutes, unless the stream says otherwise), and
// keeps a replay, or the same event on another subject.
//
// Messages of one key and subject keep their order: each is sent when the one
// before it was acknowledged.
//
// A consumer gets the event back with [Message].
//
// What is not promised: an order of messages without a key, or of different ones.
// Headers whose values have line breaks, or spaces at an end, cannot be carried
// by NATS; such a message is refused for good, and so is one with headers that
// begin with "Nats-", which are commands to the server.
package natssink
