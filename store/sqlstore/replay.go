package sqlstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// ReplayTogether is the strategy for a database where one statement moves letters
// and returns whether each is back in the outbox.
func ReplayTogether(ctx context.Context, s *Session, keys []driver.DeadKey) ([]Grave, error) {
	return s.replayable(ctx, s.Queries.DeadReplay, keys)
}

// ReplayInSteps is the strategy of three statements: find the letters that can go
// back, copy them, delete them.
func ReplayInSteps(ctx context.Context, s *Session, keys []driver.DeadKey) ([]Grave, error) {
	found, err := s.replayable(ctx, s.Queries.DeadReplayFind, keys)
	if err != nil {
		return nil, err
	}
	found = latest(found)
	var back []driver.DeadKey
	for _, g := range found {
		if g.Status == driver.DeadApplied {
			back = append(back, driver.DeadKey{EventID: g.EventID, Seq: g.Seq})
		}
	}
	if len(back) == 0 {
		return found, nil
	}
	for _, q := range []Query{s.Queries.DeadReplay, s.Queries.DeadReplayDrop} {
		if _, err := s.Exec(ctx, q, keyBatch(back)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// latest keeps the latest letter of each id, once.
func latest(found []Grave) []Grave {
	slices.SortFunc(found, func(a, b Grave) int {
		return cmp.Or(cmp.Compare(a.EventID, b.EventID), cmp.Compare(b.Seq, a.Seq))
	})
	return slices.CompactFunc(found, func(a, b Grave) bool { return a.EventID == b.EventID })
}

// replayable runs a query that returns letters, each with true if it can go back
// or has gone back, and false if the outbox has an event with that id.
func (s *Session) replayable(ctx context.Context, q Query, keys []driver.DeadKey) ([]Grave, error) {
	rows, err := s.Query(ctx, q, keyBatch(keys))
	return collect(rows, err, func(rows Rows) (g Grave, err error) {
		var free flag
		if err = rows.Scan(&g.EventID, &g.Seq, &free); err != nil {
			return g, err
		}
		g.Status = driver.DeadConflict
		if free {
			g.Status = driver.DeadApplied
		}
		return g, nil
	})
}
