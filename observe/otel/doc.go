// Package otel instruments writers, relays and consumers with OpenTelemetry:
// one trace from the request that wrote an event to the consumer that had its
// effect, and the metrics of package prom. One line switches it on, and one
// line each adds it to a relay, a writer and a consumer:
//
//	t := otel.New(otel.Config{Types: reg.Types(), Store: store})
//	r, err := relay.New(store, reg, t.Relay(relay.Config{}))
//	w := outbox.NewWriter(store, r.HotPath(), t.Writer())
//	c, err := inbox.New(ledger, t.Inbox(inbox.Config{Group: "billing"}))
//
// It uses the global providers unless it is given others. Package otlp makes
// providers that send over OTLP, for programs that have none.
//
// The context of the write travels in the headers traceparent and tracestate of
// the event, and in baggage if asked for. The spans are:
//
//   - write, a producer: one for each call of Write. Its context is what travels.
//   - deliver, a client for a sink and a consumer for a listener: one for each
//     attempt of an event, a child of the write.
//   - deliver_batch, which the destination gets in its context when several events
//     go to it together, with a link to each write.
//   - consume, a consumer: a child of the write or of the span that the context of
//     the consumer has in the same trace; with links for a batch.
//
// What it does not promise: a span is lost with its process, and when the
// exporter cannot keep up. A write span says that an event was stored, not that
// its transaction committed. An event whose writer stored no context begins a
// trace at its delivery, and another at its consumer.
package otel
