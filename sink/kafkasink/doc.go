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
// all in-sync replicas. Topics are not created: a missing one is a failure whose
// text says so, which spends attempts and ends in the dead letters.
//
// A consumer gets the event back with [Message].
//
// What is not promised: a message whose Send was cancelled or timed out may
// still be written, until Config.Timeout is over, and is written again by
// the retry, under the same event id and after the first.
package kafkasink
