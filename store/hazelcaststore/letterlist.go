package hazelcaststore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/hazelcast/hazelcast-go-client/predicate"

	"github.com/sendoff-go/outbox/driver"
)

// What one call looks at: so many letters, and so many bytes of them. Whole letters
// travel, also those that a filter leaves out.
const (
	lookedAtList  = 2000
	lookedAtCount = 10_000
	pageBytes     = 32 << 20
)

// GetDead implements [driver.DeadLetterStore]. Of several letters of the id it
// returns the latest.
func (s *Store) GetDead(ctx context.Context, id string) (l driver.DeadLetter, found bool, err error) {
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		letters, err := s.lettersOf(ctx, m, []string{id})
		if len(letters) > 0 {
			l, found = letters[0].dead(), true
		}
		return err
	})
	return l, found, err
}

// EarlierDead implements [driver.DeadLetterStore].
func (s *Store) EarlierDead(ctx context.Context, id string, seq int64, limit int) (earlier []driver.DeadLetter, err error) {
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		letters, err := s.lettersOf(ctx, m, []string{id})
		earlier = nil
		at := slices.IndexFunc(letters, func(l *letter) bool { return l.Seq == seq })
		for _, l := range letters[at+1:] {
			if at >= 0 && len(earlier) < limit {
				earlier = append(earlier, l.dead())
			}
		}
		return err
	})
	return earlier, err
}

// ListDead implements [driver.DeadLetterStore].
func (s *Store) ListDead(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) (out []driver.DeadLetter, next *driver.DeadCursor, err error) {
	looked, size, last := 0, 0, after
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		return s.eachLetter(ctx, m, f, after, func(l *letter) bool {
			if len(out) >= limit || looked >= lookedAtList || size >= pageBytes {
				next = last
				return false
			}
			looked, size = looked+1, size+len(l.raw)
			last = &driver.DeadCursor{DiedAt: fromMicros(l.Died), EventID: l.ID}
			if dead := l.dead(); matches(&dead, f) {
				out = append(out, dead)
			}
			return true
		})
	})
	if err != nil {
		return nil, nil, err
	}
	return out, next, nil
}

// CountDead implements [driver.DeadLetterStore].
func (s *Store) CountDead(ctx context.Context, f driver.DeadFilter) (n driver.Count, err error) {
	looked, size := 0, 0
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		return s.eachLetter(ctx, m, f, nil, func(l *letter) bool {
			if looked >= lookedAtCount || size >= pageBytes {
				n.More = true
				return false
			}
			looked, size = looked+1, size+len(l.raw)
			if dead := l.dead(); matches(&dead, f) {
				n.N++
			}
			return true
		})
	})
	if err != nil {
		return driver.Count{}, err
	}
	return n, nil
}

// eachLetter calls f with the letters after a cursor, latest first, until it
// returns false. Those of other lanes, or beyond the times of the filter, stay
// where they are.
func (s *Store) eachLetter(ctx context.Context, m *tables, f driver.DeadFilter, after *driver.DeadCursor, yield func(*letter) bool) error {
	all := &scan{table: m.letters, attribute: "died", backwards: true, from: s.clock.now() + micros(time.Hour), width: firstWidth, most: maxWindow}
	if f.Lane != "" {
		all.match = predicate.Equal("eventType", f.Lane)
	}
	if !f.DiedBefore.IsZero() {
		all.from = min(all.from, f.DiedBefore.UnixMicro())
	}
	if !f.DiedAfter.IsZero() {
		all.to = max(all.to, f.DiedAfter.UnixMicro())
	}
	if after != nil {
		all.from = min(all.from, after.DiedAt.UnixMicro())
	}
	return all.run(ctx, func(texts [][]byte) (bool, error) {
		letters := make([]*letter, 0, len(texts))
		for _, raw := range texts {
			l, err := parseLetter(raw)
			if err == nil && (after == nil || compareDead(l, after) < 0) {
				letters = append(letters, l)
			}
		}
		slices.SortFunc(letters, func(a, b *letter) int {
			return cmp.Or(cmp.Compare(b.Died, a.Died), cmp.Compare(b.ID, a.ID))
		})
		for _, l := range letters {
			if !yield(l) {
				return false, nil
			}
		}
		return true, nil
	})
}

func compareDead(l *letter, c *driver.DeadCursor) int {
	return cmp.Or(cmp.Compare(l.Died, c.DiedAt.UnixMicro()), cmp.Compare(l.ID, c.EventID))
}
