// Package natssink sends events to NATS JetStream.
//
//	s, err := natssink.New(natssink.Config{URL: "nats://nats:4222"})
//	...
//	defer s.Close()
//	reg.Route("order-*", s, outbox.To("orders.placed"))
//
// The subject is the destination of the route. A message is delivered when the
// stream with this subject has acknowledged it; if there is no such stream, it
// fails with an error that says so. Nats-Msg-Id begins with the event id and
// identifies exactly this message, so the server drops what is resent within
// the stream's duplicate window (two minutes by default), but keeps a replay,
// or the same event on another subject.
//
// Messages of one key and subject keep their order: each is sent after the one
// before it was acknowledged.
//
// A consumer reads the event with [Message].
//
// What is not promised: an order among messages without a key, or with
// different keys. NATS cannot carry header values with line breaks, or with
// leading or trailing spaces; such a message fails permanently, and so does one
// with headers that begin with "Nats-", which are commands to the server.
package natssink
