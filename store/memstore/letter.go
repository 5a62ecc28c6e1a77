package memstore

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
)

// letter is a line of the dead-letter table.
type letter struct{ outbox.DeadLetter }

func newLetter(r *row, o outbox.Outcome, now time.Time) *letter {
	return &letter{outbox.DeadLetter{
		Event:     r.event,
		Held:      r.held(),
		Attempts:  o.Attempts,
		Error:     o.Error,
		Failures:  outbox.ParseFailures(o.Failures),
		CreatedAt: r.createdAt,
		DiedAt:    now,
	}}
}

func (l *letter) resolved() bool { return !l.ResolvedAt.IsZero() }

func (l *letter) matches(f outbox.DeadFilter) bool {
	return l.resolved() == f.Resolved &&
		(f.Lane == "" || l.Event.Type == f.Lane) &&
		strings.Contains(l.Error, f.Error) &&
		(f.DiedBefore.IsZero() || l.DiedAt.Before(f.DiedBefore)) &&
		(f.DiedAfter.IsZero() || l.DiedAt.After(f.DiedAfter))
}

// copy shares no memory with the stored letter.
func (l *letter) copy() outbox.DeadLetter {
	c := l.DeadLetter
	c.Event, c.Failures = c.Event.Clone(), slices.Clone(c.Failures)
	return c
}

// CountDead implements [outbox.DeadLetterStore].
func (s *Store) CountDead(ctx context.Context, f outbox.DeadFilter) (outbox.Count, error) {
	if err := s.lock(ctx); err != nil {
		return outbox.Count{}, err
	}
	defer s.mu.Unlock()
	var n outbox.Count
	for _, l := range s.dead {
		if l.matches(f) {
			count(&n)
		}
	}
	return n, nil
}

// ListDead implements [outbox.DeadLetterStore].
func (s *Store) ListDead(ctx context.Context, f outbox.DeadFilter, after *outbox.DeadCursor, limit int) ([]outbox.DeadLetter, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var found []*letter
	for _, l := range s.dead {
		if l.matches(f) && (after == nil || compareCursors(l.cursor(), *after) < 0) {
			found = append(found, l)
		}
	}
	slices.SortFunc(found, func(a, b *letter) int { return compareCursors(b.cursor(), a.cursor()) })
	var out []outbox.DeadLetter
	for _, l := range found[:min(len(found), max(limit, 0))] {
		out = append(out, l.copy())
	}
	return out, nil
}

// GetDead implements [outbox.DeadLetterStore].
func (s *Store) GetDead(ctx context.Context, id string) (outbox.DeadLetter, bool, error) {
	if err := s.lock(ctx); err != nil {
		return outbox.DeadLetter{}, false, err
	}
	defer s.mu.Unlock()
	l := s.letterOf(id)
	if l == nil {
		return outbox.DeadLetter{}, false, nil
	}
	return l.copy(), true, nil
}

// letterOf is the letter of that id, or nil. An id that was used again and died
// again has two: nothing is thrown away that nobody looked at. The later one
// is meant.
func (s *Store) letterOf(id string) *letter {
	for _, l := range slices.Backward(s.dead) {
		if l.Event.ID == id {
			return l
		}
	}
	return nil
}

func (l *letter) cursor() outbox.DeadCursor {
	return outbox.DeadCursor{DiedAt: l.DiedAt, EventID: l.Event.ID}
}

func compareCursors(a, b outbox.DeadCursor) int {
	return cmp.Or(a.DiedAt.Compare(b.DiedAt), cmp.Compare(a.EventID, b.EventID))
}
