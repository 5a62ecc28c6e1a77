package outbox

import (
	"context"
	"fmt"
	"maps"
)

// Sink is a destination outside the process, such as a message broker. It must
// be safe for concurrent use.
type Sink interface {
	// Send delivers a batch and answers for each message, in the same order;
	// nil means that all were delivered. A message counts as delivered only
	// when the other side acknowledged it. Errors are classified with
	// [Permanent] and [Unavailable]; messages of one Key keep their order.
	Send(ctx context.Context, batch []Message) []error
}

// Message is an event on its way to a [Sink].
type Message struct {
	Event Event
	// Destination is the topic, exchange, subject, stream or URL. It may
	// contain a secret: show people driver.DestinationName of it.
	Destination string
	// ByType means that the route names no destination, so that Destination is
	// the event type. Whoever writes events chooses it: a sink must not treat
	// it as an address.
	ByType bool
	// Key keeps messages of one key in order where the sink can.
	Key string
	// Headers are the event's own and those that describe it.
	Headers map[string]string
	// Delivery distinguishes a repetition from a replay. It is zero unless the
	// sender has set it with driver.ContextWithDeliveries.
	Delivery Delivery
}

// Payload returns the bytes to send.
func (m Message) Payload() []byte { return m.Event.Payload() }

// RouteOption changes how a route makes messages, or which events it takes.
type RouteOption interface{ onRoute(t *Target) }

// messageOption changes how a route makes messages.
type messageOption func(*route)

func (o messageOption) onRoute(t *Target) { o(t.route) }

// To sends to that destination. Default: the event type.
func To(destination string) RouteOption {
	return messageOption(func(r *route) {
		r.destination, r.kind = func(Event) string { return destination }, fixed
	})
}

// ToFunc computes the destination of each event. It is also called once at
// registration, with an event that has only the event type or pattern as its
// type. The destinations of such a route share a breaker: while one of them is
// unavailable, all of the route's events wait. Where that matters, use a route
// for each.
func ToFunc(f func(Event) string) RouteOption {
	return messageOption(func(r *route) { r.destination, r.kind = f, computed })
}

// KeyFunc computes the key of each message. Default: the aggregate id.
func KeyFunc(f func(Event) string) RouteOption {
	return messageOption(func(r *route) { r.key = f })
}

// WithHeaders adds fixed headers to each message; the event's own take
// precedence.
func WithHeaders(h map[string]string) RouteOption {
	return messageOption(func(r *route) { r.headers = maps.Clone(h) })
}

// WithPayload computes the bytes to send instead of the event's own; they
// become the Bytes of the message's event. An error is [Permanent] for that
// event alone; the rest of the batch goes on.
func WithPayload(f func(Event) ([]byte, error)) RouteOption {
	return messageOption(func(r *route) { r.payload = f })
}

// destinationKind is how a route finds its destinations.
type destinationKind uint8

const (
	byType destinationKind = iota
	fixed
	computed
)

type route struct {
	sink        Sink
	kind        destinationKind
	destination func(Event) string
	key         func(Event) string
	payload     func(Event) ([]byte, error)
	headers     map[string]string
}

func newRoute(s Sink) *route {
	return &route{
		sink:        s,
		destination: func(e Event) string { return e.Type },
		key:         func(e Event) string { return e.AggregateID },
	}
}

// message makes the message of an event. A panic in the route's functions fails
// that event, but not the others of its batch.
func (r *route) message(e Event) (m Message, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("outbox: panic while making the message: %v", p)
		}
	}()
	m = Message{Event: e, Destination: r.destination(e), ByType: r.kind == byType, Key: r.key(e), Headers: messageHeaders(e, r.headers)}
	if r.payload == nil {
		return m, nil
	}
	b, err := r.payload(e)
	if err != nil {
		return m, Permanent(fmt.Errorf("outbox: payload of the message: %w", err))
	}
	if b == nil {
		b = []byte{}
	}
	m.Event.JSON, m.Event.Bytes = nil, b
	return m, nil
}

// send hands the messages of es to the sink and returns an answer for each.
func (r *route) send(ctx context.Context, name string, es []Event) []error {
	batch := make([]Message, 0, len(es))
	var failed []error // by event, once there is one
	ds := deliveries(ctx)
	for i, e := range es {
		m, err := r.message(e)
		m.Delivery, ds = nextDelivery(ds, e.ID)
		if err == nil {
			batch = append(batch, m)
			continue
		}
		if failed == nil {
			failed = make([]error, len(es))
		}
		failed[i] = err
	}
	if failed == nil {
		return checkAnswers(name, len(batch), r.sink.Send(ctx, batch))
	}
	var errs []error
	if len(batch) > 0 {
		errs = checkAnswers(name, len(batch), r.sink.Send(ctx, batch))
	}
	for i, err := range failed {
		if err == nil {
			failed[i], errs = errs[0], errs[1:]
		}
	}
	return failed
}

func messageHeaders(e Event, fixed map[string]string) map[string]string {
	h := make(map[string]string, len(fixed)+len(e.Headers)+4)
	maps.Copy(h, fixed)
	maps.Copy(h, e.Headers)
	for _, f := range [...][2]string{
		{HeaderAggregateType, e.AggregateType},
		{HeaderAggregateID, e.AggregateID},
		{HeaderTenantID, e.TenantID},
		{HeaderCorrelationID, e.CorrelationID},
		{HeaderTraceID, e.TraceID},
		{HeaderEventID, e.ID},
		{HeaderEventType, e.Type},
	} {
		if f[1] != "" {
			h[f[0]] = f[1]
		}
	}
	return h
}

// The headers that every message to a [Sink] carries in addition to the event's
// own.
const (
	HeaderEventID       = "outbox_event_id"
	HeaderEventType     = "outbox_event_type"
	HeaderAggregateType = "outbox_aggregate_type"
	HeaderAggregateID   = "outbox_aggregate_id"
	HeaderTenantID      = "outbox_tenant_id"
	HeaderCorrelationID = "outbox_correlation_id"
	HeaderTraceID       = "outbox_trace_id"
)
