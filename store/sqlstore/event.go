package sqlstore

import (
	"context"
	"encoding/json"
	"math"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// lastID is greater than any id, as bytes.
const lastID = "\U0010FFFF"

// ListEvents implements [driver.EventStore].
func (s *Engine) ListEvents(ctx context.Context, f driver.EventFilter, after *driver.EventCursor, limit int) (events []driver.StoredEvent, next *driver.EventCursor, err error) {
	if limit <= 0 {
		return nil, nil, nil
	}
	limit = min(limit, math.MaxInt32-1)
	var cut bool
	c := s.personCall("list events", func(ctx context.Context, session *Session) (err error) {
		if next = nil; f != (driver.EventFilter{}) {
			if next, err = session.eventsEnd(ctx, after, searched); err != nil {
				return err
			}
		}
		rows, err := session.Query(ctx, s.queries.EventList, nil, f.Lane, f.Tenant, f.Key, string(f.Status),
			timeOrNull(f.WrittenAfter), earlier(f.WrittenBefore), session.startAfter(after), session.endAt(next), leftOut(f.Unerased), stored.AtMost(limit+1))
		events, cut, err = collectUntil(rows, err, session.scanEvent, full(func(e driver.StoredEvent) int { return len(e.Event.Payload()) }))
		return err
	})
	if f == (driver.EventFilter{}) {
		c = c.single()
	}
	if err := s.run(ctx, c); err != nil {
		return nil, nil, err
	}
	if cut || len(events) > limit {
		events = events[:min(len(events), limit)]
		next = events[len(events)-1].Cursor()
	}
	return events, next, nil
}

// CountEvents implements [driver.EventStore].
func (s *Engine) CountEvents(ctx context.Context, f driver.EventFilter) (n driver.Count, err error) {
	err = s.run(ctx, s.personCall("count events", func(ctx context.Context, session *Session) error {
		end, err := session.eventsEnd(ctx, nil, searchedToCount)
		if err != nil {
			return err
		}
		rows, err := session.Query(ctx, s.queries.EventCount, nil, f.Lane, f.Tenant, f.Key, string(f.Status),
			timeOrNull(f.WrittenAfter), earlier(f.WrittenBefore), session.startAfter(nil), session.endAt(end), leftOut(f.Unerased))
		ns, err := collect(rows, err, scanValue[int64])
		if err != nil || len(ns) == 0 {
			return err
		}
		n = driver.Count{N: ns[0], More: end != nil}
		return nil
	}))
	return n, err
}

// eventsEnd returns the last event that a bounded search looks at, or nil if it
// looks at all of them.
func (s *Session) eventsEnd(ctx context.Context, after *driver.EventCursor, most int) (*driver.EventCursor, error) {
	rows, err := s.Query(ctx, s.Queries.EventSearchEnd, nil, s.startAfter(after), int64(most-1))
	ends, err := collect(rows, err, func(rows Rows) (c driver.EventCursor, err error) {
		return c, rows.Scan(&c.EventID, &c.Seq)
	})
	if err != nil || len(ends) == 0 {
		return nil, err
	}
	return &ends[0], nil
}

// startAfter is the key of the event after which a page starts.
func (s *Session) startAfter(c *driver.EventCursor) any {
	if c == nil {
		c = &driver.EventCursor{Seq: math.MaxInt64, EventID: lastID}
	}
	return s.endAt(c)
}

// endAt is the key of the last event of a page.
func (s *Session) endAt(c *driver.EventCursor) any {
	if c == nil {
		c = &driver.EventCursor{Seq: math.MinInt64}
	}
	if s.Dialect.KeyIsID {
		return c.EventID
	}
	return c.Seq
}

// GetEvent implements [driver.EventStore].
func (s *Engine) GetEvent(ctx context.Context, id string) (driver.StoredEvent, bool, error) {
	var events []driver.StoredEvent
	err := s.run(ctx, s.personCall("get event", func(ctx context.Context, session *Session) error {
		rows, err := session.Query(ctx, s.queries.EventGet, nil, id)
		events, err = collect(rows, err, session.scanEvent)
		return err
	}).single())
	if err != nil || len(events) == 0 {
		return driver.StoredEvent{}, false, err
	}
	return events[0], true, nil
}

// scanEvent reads one row of event_columns.sql.
func (s *Session) scanEvent(rows Rows) (driver.StoredEvent, error) {
	var cols eventColumns
	var e driver.StoredEvent
	var reason, owner text
	var failures data
	var available, occurred, created, done, until moment
	if err := rows.Scan(cols.fields(&e.Attempts, &reason, &failures, &available, &occurred, &created, &done, &owner, &until, &e.Status)...); err != nil {
		return driver.StoredEvent{}, err
	}
	e.Event, e.Problem = cols.event(!s.Dialect.ChecksJSON)
	e.Held = cols.held
	e.Event.OccurredAt = stored.OccurredAt(occurred.Time, created.Time)
	e.AvailableAt, e.CreatedAt, e.DoneAt, e.LockedUntil = available.Time, created.Time, done.Time, until.Time
	e.LockedBy, e.Error = driver.Owner(owner), string(reason)
	e.Failures = driver.ParseFailures(json.RawMessage(failures))
	return e, nil
}
