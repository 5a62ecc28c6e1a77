package relay

import (
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// unrouted warns, once for each name, about events that have no listener here.
type unrouted struct {
	log    *slog.Logger
	advice string
	warned few
}

// lane warns about an event type without a listener. similar returns a type with
// a similar name that has one, or "".
func (u *unrouted) lane(w driver.WaitingLane, similar func(string) string) {
	if u.warned.first(w.Lane) {
		attrs := []any{"event_type", w.Lane, "waiting", w.Age.Round(time.Millisecond)}
		if meant := similar(w.Lane); meant != "" {
			attrs = append(attrs, "similar", meant)
		}
		u.log.Warn("outbox: this relay has no listener or route for events that wait; "+u.whoElse(), attrs...)
	}
}

// aggregate warns about an aggregate type that has no listener here although its
// event type has one for others.
func (u *unrouted) aggregate(e *outbox.Event) {
	if u.warned.first([2]string{e.Type, e.AggregateType}) {
		u.log.Warn("outbox: this relay has a listener for the event type, but not for this aggregate type; "+u.whoElse(),
			"event_id", e.ID, "event_type", e.Type, "aggregate_type", e.AggregateType)
	}
}

// whoElse says what may happen to events without a listener here.
func (u *unrouted) whoElse() string {
	if u.advice == "" {
		return "another relay may have one"
	}
	return "another relay may have one, or " + u.advice
}
