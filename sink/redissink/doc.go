// Package redissink appends events to Redis streams.
//
// The destination is the name of the stream. Each message is one entry, whose
// fields are the headers and, as [FieldPayload], the exact bytes of the payload.
// A batch is one pipeline of XADD, and a message counts as delivered when the
// server has answered with the id of its entry.
//
//	sink, err := redissink.New(redissink.Config{URL: "redis://localhost:6379/0"})
//	...
//	defer sink.Close()
//	registry.Route("order-*", sink, outbox.To("orders"))
//
// [Config].Client takes an existing client. In a consumer, [Message] turns an
// entry into what package inbox takes.
//
// What the answers mean:
//
//   - A server that is down, hangs, is loading or out of memory, or has become
//     a replica is unavailable; so is one that refuses the credentials.
//   - A header with the name of the payload's field is permanent.
//   - A key that is not a stream, a missing permission, and, with
//     [Config].RequireStream, a missing stream are failures of these messages
//     alone, and count as attempts.
//
// What is not promised: an entry lives as long as the server keeps it. Without
// "appendfsync always" a crash may lose the latest acknowledged entries, a
// failover may lose what was not replicated yet, and MaxLen drops the oldest
// entries whether or not anyone has read them. A message may be appended twice
// when the answer was lost.
package redissink
