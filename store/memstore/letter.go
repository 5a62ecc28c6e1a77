package memstore

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// letter is a row of the dead-letter table.
type letter struct{ driver.DeadLetter }

func newLetter(r *row, o driver.Outcome, now time.Time) *letter {
	return &letter{driver.DeadLetter{
		Event:     r.event,
		Held:      r.held(),
		Attempts:  o.Attempts,
		Error:     o.Error,
		Failures:  driver.ParseFailures(o.Failures),
		CreatedAt: r.createdAt,
		DiedAt:    now,
	}}
}

func (l *letter) resolved() bool { return !l.ResolvedAt.IsZero() }

func (l *letter) matches(f driver.DeadFilter) bool {
	return l.resolved() == f.Resolved &&
		(f.Lane == "" || l.Event.Type == f.Lane) &&
		strings.Contains(l.Error, f.Error) &&
		(f.Group == "" || l.Group == f.Group) &&
		(f.Destination == "" || l.Destination == f.Destination) &&
		(f.Tenant == "" || l.Event.TenantID == f.Tenant) &&
		(f.Key == "" || l.Event.AggregateID == f.Key) &&
		(f.DiedBefore.IsZero() || l.DiedAt.Before(f.DiedBefore)) &&
		(f.DiedAfter.IsZero() || l.DiedAt.After(f.DiedAfter)) &&
		(!f.Unerased || l.Event.Headers[driver.Erased] == "")
}

// copy shares no memory with the stored letter.
func (l *letter) copy() driver.DeadLetter {
	c := l.DeadLetter
	c.Event, c.Failures = c.Event.Clone(), slices.Clone(c.Failures)
	return c
}

// CountDead implements [driver.DeadLetterStore].
func (s *Store) CountDead(ctx context.Context, f driver.DeadFilter) (driver.Count, error) {
	if err := s.lock(ctx); err != nil {
		return driver.Count{}, err
	}
	defer s.mu.Unlock()
	var n driver.Count
	for _, l := range s.dead {
		if l.matches(f) {
			count(&n)
		}
	}
	return n, nil
}

// ListDead implements [driver.DeadLetterStore].
func (s *Store) ListDead(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) (out []driver.DeadLetter, next *driver.DeadCursor, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, nil, err
	}
	defer s.mu.Unlock()
	var found []*letter
	for _, l := range s.dead {
		if l.matches(f) && (after == nil || compareCursors(*l.Cursor(), *after) < 0) {
			found = append(found, l)
		}
	}
	slices.SortFunc(found, func(a, b *letter) int { return compareCursors(*b.Cursor(), *a.Cursor()) })
	for _, l := range found[:min(len(found), max(limit, 0))] {
		out = append(out, l.copy())
	}
	if len(out) > 0 && len(out) < len(found) {
		next = out[len(out)-1].Cursor()
	}
	return out, next, nil
}

// GetDead implements [driver.DeadLetterStore].
func (s *Store) GetDead(ctx context.Context, id string) (driver.DeadLetter, bool, error) {
	if err := s.lock(ctx); err != nil {
		return driver.DeadLetter{}, false, err
	}
	defer s.mu.Unlock()
	l := s.letterOf(id)
	if l == nil {
		return driver.DeadLetter{}, false, nil
	}
	return l.copy(), true, nil
}

// EarlierDead implements [driver.DeadLetterStore].
func (s *Store) EarlierDead(ctx context.Context, id string, seq int64, limit int) (earlier []driver.DeadLetter, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	for _, l := range s.dead {
		if l.Event.ID == id && l.Seq < seq {
			earlier = append(earlier, l.copy())
		}
	}
	slices.SortFunc(earlier, func(a, b driver.DeadLetter) int { return cmp.Compare(b.Seq, a.Seq) })
	return earlier[:min(len(earlier), max(limit, 0))], nil
}

// letterOf returns the letter of that id, or nil. An id that was reused and
// died again has two, since no letter is dropped before somebody has looked at
// it. It returns the later one.
func (s *Store) letterOf(id string) *letter {
	for _, l := range slices.Backward(s.dead) {
		if l.Event.ID == id {
			return l
		}
	}
	return nil
}

func compareCursors(a, b driver.DeadCursor) int {
	return cmp.Or(a.DiedAt.Compare(b.DiedAt), cmp.Compare(a.EventID, b.EventID))
}
