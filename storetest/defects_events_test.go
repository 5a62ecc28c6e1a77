package storetest

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

func eventDefects() []defect {
	const filter = "a filter of events matches exactly what it names"
	filtered := func(change func(f *driver.EventFilter)) func(b *broken) {
		return func(b *broken) {
			b.events = func(ctx context.Context, f driver.EventFilter, after *driver.EventCursor, limit int) ([]driver.StoredEvent, *driver.EventCursor, error) {
				change(&f)
				return b.Store.ListEvents(ctx, f, after, limit)
			}
		}
	}
	return []defect{
		{"an event forgets who holds it", "an event is shown as it is stored, whatever its state", false, func(b *broken) {
			b.event = func(ctx context.Context, id string) (driver.StoredEvent, bool, error) {
				e, found, err := b.Store.GetEvent(ctx, id)
				e.LockedBy = ""
				return e, found, err
			}
		}},
		{"a page of events starts over", "events are listed latest first, in pages by key", false, func(b *broken) {
			b.events = func(ctx context.Context, f driver.EventFilter, _ *driver.EventCursor, limit int) ([]driver.StoredEvent, *driver.EventCursor, error) {
				return b.Store.ListEvents(ctx, f, nil, limit)
			}
		}},
		{"held events wait", filter, false, filtered(func(f *driver.EventFilter) {
			if f.Status == driver.EventHeld {
				f.Status = driver.EventWaiting
			}
		})},
		{"a tenant loses its spaces", filter, false, filtered(func(f *driver.EventFilter) {
			if f.Tenant == "acme " {
				f.Tenant = "acme"
			}
		})},
		{"times do not count", filter, false, filtered(func(f *driver.EventFilter) { f.WrittenAfter = f.WrittenAfter.Truncate(0).AddDate(-1, 0, 0) })},
	}
}
