// Package kafkasink sends events to Apache Kafka.
//
//	s, err := kafkasink.New(kafkasink.Config{Brokers: []string{"kafka:9092"}})
//	...
//	defer s.Close()
//	reg.Route("order-*", s, outbox.To("orders"))
//
// The topic is the destination of the route, the record's key is the key of the
// message (by default the aggregate id, so that a partition keeps its order),
// and the headers are the message's. The producer is idempotent and waits for
// all in-sync replicas. The sink does not create topics: a message to a missing
// one fails with an error that says so, spends its attempts and becomes a dead
// letter.
//
// A consumer reads the event with [Message].
//
// What is not promised: a message whose Send was cancelled or timed out may
// still be written, until Config.Timeout is over, and the retry writes it
// again, after the first and with the same event id.
package kafkasink
