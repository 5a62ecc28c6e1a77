// Package httpsink posts events to webhooks.
//
// Each message is one POST, a CloudEvents 1.0 event in binary or structured
// mode, with the headers of the message as HTTP headers and, with a secret,
// signed according to Standard Webhooks. A message counts as delivered when the
// answer is a 2xx.
//
//	sink, err := httpsink.New(httpsink.Config{
//		URL:     "https://example.com/hooks/orders",
//		Secrets: []string{"whsec_..."},
//	})
//	...
//	defer sink.Close()
//	registry.Route("order-*", sink)
//
// A message goes to its destination if that is an absolute URL. A destination
// that begins with a slash is relative to [Config].URL; any other goes to
// [Config].URL itself, as does a route without a destination, whatever the
// event type looks like.
//
// What the answers mean:
//
//   - No answer, 408, 429, 502, 503 and 504 are unavailable.
//   - Every other 4xx except 425 is permanent, as are headers that HTTP cannot
//     carry.
//   - 101, 425, every other 5xx, a redirect that is not followed and an address
//     that [Config].BlockPrivate refuses are failures that count as attempts.
//
// Every retry honours Retry-After. Only 307 and 308 to the same scheme, host
// and port are followed: any other redirect would turn the POST into a GET or
// send the event to another host.
//
// Messages of a batch are posted concurrently, those of one key and URL one
// after the other. When one of them fails, but not permanently, the later ones
// are not sent; they are retried without spending an attempt.
//
// In the receiver, [Verify] checks the signature and [Message] turns a request
// into what package inbox takes.
//
// What is not promised: a message may arrive twice when the answer was lost;
// receivers detect it by webhook-id, ce-id or outbox_event_id. Some proxies
// drop headers with underscores in their names by default.
package httpsink
