package hazelcaststore

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/hazelcast/hazelcast-go-client/predicate"

	"github.com/sendoff-go/outbox/driver"
)

// Lanes implements [driver.Store], but for the cost: the members look at every
// pending entry. Only the answers travel.
func (s *Store) Lanes(ctx context.Context, after string, limit int) (lanes []driver.WaitingLane, err error) {
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		if err := s.mend(ctx, m); err != nil {
			return err
		}
		names, err := m.events.distinct(ctx, "lane", predicate.GreaterOrEqual("lane", ""))
		if err != nil {
			return err
		}
		slices.Sort(names)
		names = slices.DeleteFunc(names, func(n string) bool { return n <= after })
		names = names[:min(len(names), max(limit, 0))]
		var mu sync.Mutex
		err = each(len(names), func(i int) error {
			due, found, err := m.events.least(ctx, "due", predicate.Equal("lane", names[i]))
			if found { // it was still pending
				mu.Lock()
				defer mu.Unlock()
				lanes = append(lanes, driver.WaitingLane{Lane: names[i], Age: time.Duration(s.clock.now()-due) * time.Microsecond})
			}
			return err
		})
		slices.SortFunc(lanes, func(a, b driver.WaitingLane) int { return cmp.Compare(a.Lane, b.Lane) })
		return err
	})
	if err != nil {
		return nil, err
	}
	return lanes, nil
}
