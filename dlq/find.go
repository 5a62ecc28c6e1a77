package dlq

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// How much one call reads to find payloads that match.
const (
	maxRead      = 2500
	maxReadBytes = 16 << 20
	readPage     = 100
)

// Find lists the letters whose payload matches, as ListDead of the store does. It
// reads a bounded number of letters, so a page may be short or empty and still have
// a next one.
func Find(ctx context.Context, s driver.DeadLetterStore, f driver.DeadFilter, m *PayloadMatch, after *driver.DeadCursor, limit int) (found []driver.DeadLetter, next *driver.DeadCursor, err error) {
	if m == nil {
		return s.ListDead(ctx, f, after, limit)
	}
	return find(after, limit, func(after *driver.DeadCursor) ([]driver.DeadLetter, *driver.DeadCursor, error) {
		return s.ListDead(ctx, f, after, readPage)
	}, func(l *driver.DeadLetter) (*driver.DeadCursor, int, bool) {
		return l.Cursor(), l.Event.Size(), m.Matches(&l.Event)
	})
}

// FindEvents lists the events of the outbox that match, as ListEvents of the store
// does. It reads a bounded number of events, as [Find] does.
func FindEvents(ctx context.Context, s driver.EventStore, f driver.EventFilter, m EventMatch, after *driver.EventCursor, limit int) (found []driver.StoredEvent, next *driver.EventCursor, err error) {
	if m == (EventMatch{}) {
		return s.ListEvents(ctx, f, after, limit)
	}
	return find(after, limit, func(after *driver.EventCursor) ([]driver.StoredEvent, *driver.EventCursor, error) {
		return s.ListEvents(ctx, f, after, readPage)
	}, func(e *driver.StoredEvent) (*driver.EventCursor, int, bool) {
		return e.Cursor(), e.Event.Size(), m.Matches(&e.Event)
	})
}

// find reads pages of readPage until it has found enough or read enough. It stops
// after a short page that has a next one: the store looked at many rows for it.
func find[Row, Cursor any](after *Cursor, limit int, list func(after *Cursor) ([]Row, *Cursor, error), look func(*Row) (at *Cursor, size int, matches bool)) (found []Row, next *Cursor, err error) {
	read, size := 0, 0
	for {
		page, next, err := list(after)
		if err != nil {
			return nil, nil, err
		}
		for i := range page {
			at, bytes, matches := look(&page[i])
			read, size = read+1, size+bytes
			if matches {
				found = append(found, page[i])
			}
			if last := i == len(page)-1; (len(found) == limit || size >= maxReadBytes) && (!last || next != nil) {
				return found, at, nil
			}
		}
		if after = next; next == nil || len(page) < readPage || read >= maxRead {
			return found, next, nil
		}
	}
}

// CountMatching counts the letters whose payload matches, as CountDead of the store
// does. It reads a bounded number of letters.
func CountMatching(ctx context.Context, s driver.DeadLetterStore, f driver.DeadFilter, m *PayloadMatch) (driver.Count, error) {
	if m == nil {
		return s.CountDead(ctx, f)
	}
	found, next, err := Find(ctx, s, f, m, nil, maxRead+1)
	return driver.Count{N: int64(len(found)), More: next != nil}, err
}
