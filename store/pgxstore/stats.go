package pgxstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
)

// maxStatsLanes bounds how many lanes are looked at.
const maxStatsLanes = 1000

// Stats implements [driver.StatsStore]. It looks at the first thousand lanes,
// and counts to ten thousand in each.
func (s *Store) Stats(ctx context.Context) (driver.Stats, error) {
	var st driver.Stats
	var dead []driver.LaneStats
	err := s.run(ctx, s.personCall("stats"), func(b *pgx.Batch) {
		queueCount(b, &st.Done, s.queries.StatsDone.SQL)
		b.Queue(s.queries.StatsLanes.SQL, int32(maxStatsLanes), int32(countBound+1)).Query(func(rows pgx.Rows) error {
			st.Lanes = nil
			return eachRow(rows, func(r *row) { st.Lanes = append(st.Lanes, laneStats(r)) })
		})
		b.Queue(s.queries.StatsDead.SQL, int32(countBound+1)).Query(func(rows pgx.Rows) error {
			dead = nil
			return eachRow(rows, func(r *row) {
				dead = append(dead, driver.LaneStats{Lane: r.string(), Dead: driver.Count{N: r.integer()}})
			})
		})
	})
	if err != nil {
		return driver.Stats{}, err
	}
	st.Lanes, st.Dead = withDead(st.Lanes, dead)
	for _, l := range st.Lanes {
		st.Waiting, st.Held = plus(st.Waiting, l.Waiting), plus(st.Held, l.Held)
		st.OldestDue = max(st.OldestDue, l.OldestDue)
	}
	return st, nil
}

func plus(a, b driver.Count) driver.Count {
	return driver.Count{N: a.N + b.N, More: a.More || b.More}
}

// laneStats reads one row of stats_lanes.sql.
func laneStats(r *row) (l driver.LaneStats) {
	l.Lane, l.Waiting.N, l.Held.N = r.string(), r.integer(), r.integer()
	if l.Waiting.N+l.Held.N > countBound {
		l.Waiting.More, l.Held.More = true, true
	}
	// Of the earliest free row, if there is one; negative if it is not due yet.
	if waited, isNull := r.nullable(); !isNull && waited >= 0 {
		// 0 stands for none, so what is due waits a microsecond at least.
		l.OldestDue = duration(max(waited, 1))
	}
	return l
}

// withDead adds dead letters to the lanes, which stay in order, and returns
// their number.
func withDead(lanes, dead []driver.LaneStats) ([]driver.LaneStats, driver.Count) {
	var total int64
	for _, d := range dead {
		total += d.Dead.N
	}
	bound := boundedCount(total)
	for _, d := range dead {
		d.Dead.More = bound.More
		if i := slices.IndexFunc(lanes, func(l driver.LaneStats) bool { return l.Lane == d.Lane }); i >= 0 {
			lanes[i].Dead = d.Dead
		} else {
			lanes = append(lanes, d)
		}
	}
	slices.SortFunc(lanes, func(a, b driver.LaneStats) int { return cmp.Compare(a.Lane, b.Lane) })
	return lanes, bound
}
