package memstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// countBound is where counting stops: a number on a page is not worth a scan.
const countBound = 10_000

func count(c *driver.Count) {
	if c.N == countBound {
		c.More = true
		return
	}
	c.N++
}

// Stats implements [driver.StatsStore].
func (s *Store) Stats(ctx context.Context) (driver.Stats, error) {
	if err := s.lock(ctx); err != nil {
		return driver.Stats{}, err
	}
	defer s.mu.Unlock()
	var total driver.Stats
	lanes := map[string]*driver.LaneStats{}
	lane := func(name string) *driver.LaneStats {
		if lanes[name] == nil {
			lanes[name] = &driver.LaneStats{Lane: name}
		}
		return lanes[name]
	}
	now := s.now()
	for _, r := range s.rows {
		if r.status == statusDone {
			count(&total.Done)
			continue
		}
		l := lane(r.event.Type)
		if r.locked(now) {
			count(&total.Held)
			count(&l.Held)
			continue
		}
		count(&total.Waiting)
		count(&l.Waiting)
		total.OldestDue = older(total.OldestDue, r, now)
		l.OldestDue = older(l.OldestDue, r, now)
	}
	for _, d := range s.dead {
		if !d.resolved() {
			count(&total.Dead)
			count(&lane(d.Event.Type).Dead)
		}
	}
	for _, l := range lanes {
		l.Waiting.More = l.Waiting.More || l.Held.More
		total.Lanes = append(total.Lanes, *l)
	}
	total.Waiting.More = total.Waiting.More || total.Held.More
	slices.SortFunc(total.Lanes, func(a, b driver.LaneStats) int { return cmp.Compare(a.Lane, b.Lane) })
	return total, nil
}

// older returns the longer of the two waits. A due row waits at least a
// microsecond, because 0 stands for none.
func older(known time.Duration, r *row, now time.Time) time.Duration {
	if !r.due(now) {
		return known
	}
	return max(known, now.Sub(r.availableAt), time.Microsecond)
}
