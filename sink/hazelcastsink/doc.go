// Package hazelcastsink publishes events to Hazelcast topics.
//
// The destination is the name of the topic, by default the event type. Each
// message is a HazelcastJsonValue, which listeners in any language read: the
// event's id, type and headers, and the payload as eventRecord. A message counts
// as delivered when the member that owns the topic has answered.
//
//	sink, err := hazelcastsink.New(hazelcastsink.Config{Addresses: []string{"hazelcast-1:5701"}})
//	...
//	defer sink.Close()
//	registry.Route("Order*", sink)
//
// What an answer is worth depends on the kind of topic. A plain topic hands a
// message to those who listen at that moment and keeps nothing: a listener that
// is away misses it, and so does one whose member crashes. With
// [Config].Reliable the message is in a ring buffer with a backup on another
// member, and listeners read it from there, later if need be, unless newer
// messages have overwritten it.
//
// In a consumer written in Go, [Message] turns a message into what package inbox
// takes.
//
// What the answers mean:
//
//   - A cluster that cannot be reached, hangs, refuses the credentials or the
//     cluster's name is unavailable; so is a ring buffer that is full.
//   - A header that is not valid UTF-8 is permanent.
//   - A topic that the cluster refuses is a failure, which counts as an attempt.
//
// What is not promised: a message may be published twice when the answer was
// lost, and when the member that owns the topic dies with a request at hand.
package hazelcastsink
