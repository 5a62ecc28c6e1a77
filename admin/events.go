package admin

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

// events registers what concerns the events of the outbox itself.
func (a *api) events(h huma.API) {
	const path = "/api/v1/events"
	operation(a, h, Viewer, http.MethodGet, path, "list-events", "List events of the outbox, latest first", a.listEvents)
	operation(a, h, Viewer, http.MethodGet, path+"/{id}", "get-event", "Show one event of the outbox", a.getEvent)
}

type eventsInput struct {
	Type          string    `query:"type" maxLength:"128" doc:"The event type."`
	Tenant        string    `query:"tenant" maxLength:"64" doc:"The tenant's id."`
	Key           string    `query:"key" maxLength:"128" doc:"The aggregate's id."`
	Status        string    `query:"status" enum:"waiting,held,done,dead"`
	WrittenAfter  time.Time `query:"written_after"`
	WrittenBefore time.Time `query:"written_before"`
	Payload       string    `query:"payload" maxLength:"1000" doc:"A field of the payload and its value, such as $.customer.id=4711. A page reads at most 2,500 events or 16 MiB."`
	Trace         string    `query:"trace" maxLength:"128" doc:"The id of a trace: the event's own, or that of the traceparent in its headers. A page reads as much as with payload."`
	Payloads      bool      `query:"payloads" doc:"Also show payloads and headers, as far as you may see them, and failed attempts."`
	Cursor        string    `query:"cursor" maxLength:"200" doc:"The next of the previous page."`
	Limit         int       `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// EventPage is a page of events.
type EventPage struct {
	Events []Event `json:"events"`
	Next   string  `json:"next,omitempty" doc:"The cursor of the next page. Absent on the last. With a filter, a page looks at 2,500 events, and may be short or empty and still have a next one."`
}

func (a *api) listEvents(ctx context.Context, in *eventsInput) (*body[EventPage], error) {
	f := driver.EventFilter{Lane: in.Type, Tenant: in.Tenant, Key: in.Key, Status: driver.EventStatus(in.Status), WrittenAfter: in.WrittenAfter, WrittenBefore: in.WrittenBefore}
	if err := checkEvents(f); err != nil {
		return nil, err
	}
	at, err := parseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	var after *driver.EventCursor
	if at != nil { // seq has the place of a time
		after = &driver.EventCursor{Seq: at.at.UnixMicro(), EventID: at.id}
	}
	match, err := a.matching(ctx, in.Payload)
	if err = errors.Join(err, checkText("trace", in.Trace)); err != nil {
		return nil, err
	}
	es, next, err := dlq.FindEvents(ctx, a.Store, f, dlq.EventMatch{Payload: match, Trace: in.Trace}, after, in.Limit)
	if err != nil {
		return nil, err
	}
	page := EventPage{Events: []Event{}}
	if next != nil {
		page.Next = cursor{time.UnixMicro(next.Seq), next.EventID}.String()
	}
	for i := range es {
		e, part := &es[i], Summary
		if in.Payloads {
			e, part = a.shownEvent(ctx, e), a.part(ctx)
		}
		page.Events = append(page.Events, EventOf(e, part))
	}
	return &body[EventPage]{page}, nil
}

// checkEvents refuses values that some databases cannot compare with.
func checkEvents(f driver.EventFilter) error {
	if err := checkTimes("written_after", f.WrittenAfter, "written_before", f.WrittenBefore); err != nil {
		return err
	}
	return errors.Join(checkText("type", f.Lane), checkText("tenant", f.Tenant), checkText("key", f.Key))
}

func (a *api) getEvent(ctx context.Context, in *idInput) (*body[Event], error) {
	var e driver.StoredEvent
	found, err := false, checkID(in.ID)
	if err == nil && isID(in.ID) {
		e, found, err = a.Store.GetEvent(ctx, in.ID)
	}
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, huma.Error404NotFound("no event in the outbox has this id: it was delivered and deleted, is a dead letter, or was never written")
	}
	return &body[Event]{EventOf(a.shownEvent(ctx, &e), a.part(ctx))}, nil
}

// shownEvent is [api.shown] for an event.
func (a *api) shownEvent(ctx context.Context, e *driver.StoredEvent) *driver.StoredEvent {
	if a.mask == nil || personOf(ctx).may(Admin) {
		return e
	}
	out := *e
	out.Event = a.masked(e.Event)
	return &out
}
