// Package rabbitsink sends events to RabbitMQ.
//
// The destination is the exchange and the routing key is the event type; with
// [Config].DefaultExchange the destination is a queue. Messages are persistent
// and mandatory, a batch is published as a whole, and a message counts as
// delivered when the broker confirmed it and did not return it: RabbitMQ also
// confirms messages that it could not route.
//
//	sink, err := rabbitsink.New(rabbitsink.Config{URL: "amqp://guest:guest@localhost/"})
//	...
//	defer sink.Close()
//	registry.Route("order-created", sink, outbox.To("orders"))
//
// Exchanges, queues and bindings are up to you: the sink declares none. It
// connects on first use, and again whenever the connection was lost.
//
// What the answers mean:
//
//   - A broker that is down, hangs, loses the connection before it confirms, or
//     blocks publishers because it is short of memory or disk is unavailable.
//   - A message that cannot be encoded, or is larger than the broker allows, is
//     permanent.
//   - A missing exchange, an unroutable message, a negative confirmation and a
//     missing permission are failures of these messages alone, and count as
//     attempts: they last until someone fixes the topology.
//
// In a consumer, [Message] turns a delivery into what package inbox takes.
//
// What is not promised: a message may arrive twice when the connection or the
// channel was lost before the confirmation came. A message that failed may
// arrive after a later one of its key.
package rabbitsink
