package sqlstore

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// Lanes implements [driver.Store].
func (s *Engine) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if limit <= 0 {
		return nil, nil
	}
	var lanes []driver.WaitingLane
	err := s.run(ctx, s.relayCall("lanes", func(ctx context.Context, session *Session) (err error) {
		lanes, err = session.lanes(ctx, after, limit)
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return lanes, nil
}

func (s *Session) lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if !s.Dialect.LaneByLane {
		answer, err := s.Query(ctx, s.Queries.Lanes, nil, after, stored.AtMost(limit))
		return collect(answer, err, scanLane)
	}
	next, done, err := s.prepare(ctx, s.Queries.Lanes, limit)
	if err != nil {
		return nil, err
	}
	defer done()
	var all []driver.WaitingLane
	for rows := firstSample; len(all) < limit; {
		answer, err := next(ctx, after, stored.AtMost(limit-len(all)), int64(rows))
		some, err := collect(answer, err, scanLane)
		if err != nil || len(some) == 0 {
			return all, err
		}
		all = append(all, some...)
		after = some[len(some)-1].Lane
		rows = nextSample(rows, len(some))
	}
	return all, nil
}

// How many rows to read at once to find lanes in them. A lane is worth reading
// that many rows, which takes about as long as one more statement.
const (
	leastSample = 16
	firstSample = 64
	mostSample  = 1024
	worthOfLane = 64
)

// nextSample grows while lanes are short, so that thousands of them take few
// statements, and starts over where they are long: there one row of each would
// do.
func nextSample(rows, lanes int) int {
	if lanes*worthOfLane < rows {
		return leastSample
	}
	return min(4*rows, mostSample)
}

func scanLane(rows Rows) (l driver.WaitingLane, err error) {
	var age int64
	err = rows.Scan(&l.Lane, &age)
	l.Age = stored.Duration(age)
	return l, err
}
