package apiclient

import (
	"context"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

const eventsPath = "/api/v1/events"

func (c *Remote) eventPage(ctx context.Context, f driver.EventFilter, payload string, payloads bool, after string, n int) ([]admin.Event, string, error) {
	var p admin.EventPage
	err := c.get(ctx, eventsPath, values("type", f.Lane, "tenant", f.Tenant, "key", f.Key, "status", string(f.Status),
		"written_after", moment(f.WrittenAfter), "written_before", moment(f.WrittenBefore),
		"payload", payload, "payloads", truth(payloads), "cursor", after, "limit", number(n)), &p)
	if err == nil && p.Events == nil {
		err = c.foreign("its answer has no events")
	}
	return p.Events, p.Next, err
}

// Events lists at most limit events that meet a condition on their payloads, latest
// first, with what the caller may see of the payloads if asked for.
func (c *Remote) Events(ctx context.Context, f driver.EventFilter, payload string, payloads bool, limit int) ([]admin.Event, error) {
	return pages(limit, func(after string, n int) ([]admin.Event, string, error) {
		return c.eventPage(ctx, f, payload, payloads, after, n)
	})
}

// LatestEvents lists at most limit of the latest events, and reports whether there
// may be more. With a filter it looks at a bounded number.
func (c *Remote) LatestEvents(ctx context.Context, f driver.EventFilter, payload string, payloads bool, limit int) (all []admin.Event, more bool, err error) {
	all, err = pages(limit, func(after string, n int) ([]admin.Event, string, error) {
		some, next, err := c.eventPage(ctx, f, payload, payloads, after, n)
		if more = next != ""; len(some) < n {
			next = "" // the bound is reached
		}
		return some, next, err
	})
	return all, more, err
}

// Event returns one event with what the caller may see of it; found is false if
// there is none.
func (c *Remote) Event(ctx context.Context, id string) (e admin.Event, found bool, err error) {
	found, err = c.find(ctx, eventsPath, id, &e)
	return e, found, err
}
