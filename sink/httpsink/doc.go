// Package httpsink posts events to webhooks.
//
// Each message is one POST, a CloudEvents 1.0 event in binary or structured
// mode, with the headers of the message as HTTP headers and, with a secret,
// signed as Standard Webhooks lays down. A message counts as delivered when the
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
// A destination that is an absolute URL is where the message goes; one that
// begins with a slash is taken relative to [Config].URL; for any other it is
// [Config].URL itself. A route that names no destination goes there, too,
// whatever the event type looks like.
//
// What the answers mean:
//
//   - No answer, 408, 429, 502, 503 and 504 are unavailable.
//   - Every other 4xx except 425 is permanent, as are headers that HTTP cannot
//     carry.
//   - 101, 425, every other 5xx, a redirect that is not followed and an address that
//     [Config].BlockPrivate keeps out are failures that count.
//
// Retry-After is honoured wherever there is a retry. Only 307 and 308 within
// the same scheme, host and port are followed: any other redirect would turn the
// POST into a GET or carry the event to a stranger.
//
// Messages of a batch are posted side by side, those of one key and URL one
// after the other. When one of them fails, other than permanently, the later
// ones are not sent, and come back later without having spent an attempt.
//
// On the other side, [Verify] checks the signature and [Message] makes of a
// request what package inbox takes.
//
// What is not promised: a message may arrive twice when the answer was lost;
// receivers recognise it by webhook-id, ce-id or outbox_event_id. Some proxies
// drop headers with underscores in their names unless told otherwise.
package httpsink
