package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// maxStatsLanes bounds how many lanes are counted.
const maxStatsLanes = 1000

// Stats implements [driver.StatsStore]. It counts up to ten thousand rows in each of
// the first thousand lanes. It looks for held rows only among the earliest ones, ten
// thousand in all; the others count as waiting.
func (s *Engine) Stats(ctx context.Context) (driver.Stats, error) {
	var st driver.Stats
	err := s.run(ctx, s.personCall("stats", func(ctx context.Context, session *Session) (err error) {
		st = driver.Stats{}
		if st.Done, err = session.count(ctx, s.queries.StatsDone); err != nil {
			return err
		}
		if st.Lanes, err = session.laneStats(ctx); err != nil {
			return err
		}
		dead, err := session.deadStats(ctx)
		if err != nil {
			return err
		}
		st.Dead = mergeDead(&st.Lanes, dead)
		for _, l := range st.Lanes {
			st.Waiting = plus(st.Waiting, l.Waiting)
			st.Held = plus(st.Held, l.Held)
			st.OldestDue = max(st.OldestDue, l.OldestDue)
		}
		return nil
	}))
	return st, err
}

func plus(a, b driver.Count) driver.Count {
	return driver.Count{N: a.N + b.N, More: a.More || b.More}
}

const (
	// statsTogether is how many lanes are counted in one statement.
	statsTogether = 50
	// statsLooked is how many rows of all lanes together are checked for being
	// held, and leastLooked how many of each lane at least: an index can count
	// rows, but only the row itself says whether it is held.
	statsLooked, leastLooked = countBound, 10
)

func (s *Session) laneStats(ctx context.Context) ([]driver.LaneStats, error) {
	lanes, err := s.lanes(ctx, "", maxStatsLanes)
	if err != nil {
		return nil, err
	}
	looked := int64(max(statsLooked/max(len(lanes), 1), leastLooked))
	var all []driver.LaneStats
	for some := range slices.Chunk(lanes, statsTogether) {
		var rows Rows
		if s.Dialect.LaneByLane {
			var args []any
			for _, l := range some {
				args = append(args, l.Lane, looked, countBound+1-looked)
			}
			rows, err = s.Query(ctx, s.Queries.StatsLanes.union(len(some), 3), nil, args...)
		} else {
			names := newBatch(1, len(some))
			for _, l := range some {
				names.add(l.Lane)
			}
			rows, err = s.Query(ctx, s.Queries.StatsLanes, names, looked, countBound+1-looked)
		}
		stats, err := collect(rows, err, scanLaneStats)
		if err != nil {
			return nil, err
		}
		for _, l := range stats {
			if l.Waiting.N+l.Held.N > 0 { // it was not emptied meanwhile
				all = append(all, l)
			}
		}
	}
	return all, nil
}

func scanLaneStats(rows Rows) (l driver.LaneStats, err error) {
	var rest int64           // rows that were not looked at
	var waited sql.NullInt64 // of the earliest free row; negative if not due yet
	if err = rows.Scan(&l.Lane, &l.Waiting.N, &l.Held.N, &rest, &waited); err != nil {
		return l, err
	}
	l.Waiting.N += rest
	l.Held.More = rest > 0
	l.Waiting.More = l.Waiting.N+l.Held.N > countBound
	if waited.Valid && waited.Int64 >= 0 {
		// 0 stands for none, so a due row waits at least a microsecond.
		l.OldestDue = stored.Duration(max(waited.Int64, 1))
	}
	return l, nil
}

type deadLane struct {
	lane string
	n    int64
}

func (s *Session) deadStats(ctx context.Context) ([]deadLane, error) {
	rows, err := s.Query(ctx, s.Queries.StatsDead, nil, int64(countBound+1))
	return collect(rows, err, func(rows Rows) (d deadLane, err error) {
		return d, rows.Scan(&d.lane, &d.n)
	})
}

// mergeDead adds the dead letters to the lanes, which stay in order, and
// returns their number.
func mergeDead(lanes *[]driver.LaneStats, dead []deadLane) driver.Count {
	var total int64
	for _, d := range dead {
		total += d.n
	}
	bound := boundedCount(total)
	for _, d := range dead {
		count := driver.Count{N: d.n, More: bound.More}
		i := slices.IndexFunc(*lanes, func(l driver.LaneStats) bool { return l.Lane == d.lane })
		if i >= 0 {
			(*lanes)[i].Dead = count
		} else {
			*lanes = append(*lanes, driver.LaneStats{Lane: d.lane, Dead: count})
		}
	}
	slices.SortFunc(*lanes, func(a, b driver.LaneStats) int { return cmp.Compare(a.Lane, b.Lane) })
	return bound
}
