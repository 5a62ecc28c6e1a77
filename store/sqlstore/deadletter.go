package sqlstore

import (
	"context"
	"math"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// countBound is where counting stops: a number on a page is not worth a scan.
const countBound = 10_000

func filterArguments(f driver.DeadFilter) []any {
	return []any{f.Lane, f.Error, f.Resolved, timeOrNull(f.DiedBefore), timeOrNull(f.DiedAfter), f.Group, f.Destination, f.Tenant, f.Key}
}

// CountDead implements [driver.DeadLetterStore].
func (s *Engine) CountDead(ctx context.Context, f driver.DeadFilter) (driver.Count, error) {
	var n driver.Count
	err := s.run(ctx, s.personCall("count dead letters", func(ctx context.Context, session *Session) (err error) {
		n, err = session.count(ctx, s.queries.DeadCount, filterArguments(f)...)
		return err
	}).single())
	return n, err
}

// count sends a statement whose last argument is where to stop counting.
func (s *Session) count(ctx context.Context, q Query, args ...any) (driver.Count, error) {
	rows, err := s.Query(ctx, q, nil, append(args, int64(countBound+1))...)
	ns, err := collect(rows, err, scanValue[int64])
	if err != nil || len(ns) == 0 {
		return driver.Count{}, err
	}
	return boundedCount(ns[0]), nil
}

func boundedCount(n int64) driver.Count {
	return driver.Count{N: min(n, countBound), More: n > countBound}
}

// searched is how many letters one search for a text looks at: no index finds a
// text in the middle of another.
const searched = 10_000

// ListDead implements [driver.DeadLetterStore].
func (s *Engine) ListDead(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) (letters []driver.DeadLetter, next *driver.DeadCursor, err error) {
	if limit <= 0 {
		return nil, nil, nil
	}
	limit = min(limit, math.MaxInt32-1)
	c := s.personCall("list dead letters", func(ctx context.Context, session *Session) (err error) {
		if next = nil; f.Error != "" {
			if next, err = session.searchEnd(ctx, f, after); err != nil {
				return err
			}
		}
		args := append(filterArguments(f), cursorArguments(after)...)
		args = append(args, cursorArguments(next)...)
		rows, err := session.Query(ctx, s.queries.DeadList, nil, append(args, stored.AtMost(limit+1))...)
		letters, err = collect(rows, err, session.scanLetter)
		return err
	})
	if f.Error == "" {
		c = c.single()
	}
	if err := s.run(ctx, c); err != nil {
		return nil, nil, err
	}
	if len(letters) > limit {
		letters = letters[:limit]
		next = letters[limit-1].Cursor()
	}
	return letters, next, nil
}

// searchEnd returns the last letter that a search looks at, or nil if it looks at
// all.
func (s *Session) searchEnd(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor) (*driver.DeadCursor, error) {
	f.Error = ""
	args := append(append(filterArguments(f), cursorArguments(after)...), int64(searched-1))
	rows, err := s.Query(ctx, s.Queries.DeadSearchEnd, nil, args...)
	ends, err := collect(rows, err, func(rows Rows) (c driver.DeadCursor, err error) {
		var died moment
		err = rows.Scan(&died, &c.EventID)
		c.DiedAt = died.Time
		return c, err
	})
	if err != nil || len(ends) == 0 {
		return nil, err
	}
	return &ends[0], nil
}

func cursorArguments(c *driver.DeadCursor) []any {
	if c == nil {
		return []any{nil, nil}
	}
	return []any{c.DiedAt, c.EventID}
}

// GetDead implements [driver.DeadLetterStore]. If an id died more than once, it
// returns the latest letter.
func (s *Engine) GetDead(ctx context.Context, id string) (driver.DeadLetter, bool, error) {
	var letters []driver.DeadLetter
	err := s.run(ctx, s.personCall("get dead letter", func(ctx context.Context, session *Session) error {
		rows, err := session.Query(ctx, s.queries.DeadGet, nil, id)
		letters, err = collect(rows, err, session.scanLetter)
		return err
	}).single())
	if err != nil || len(letters) == 0 {
		return driver.DeadLetter{}, false, err
	}
	return letters[0], true, nil
}

// SweepDead implements [driver.DeadLetterStore].
func (s *Engine) SweepDead(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var n int
	err := s.run(ctx, s.sweepCall("sweep dead letters", func(ctx context.Context, session *Session) (err error) {
		n, err = session.Exec(ctx, s.queries.DeadSweep, nil, s.dialect.micros(max(age, 0)), stored.AtMost(limit))
		return err
	}).single())
	return n, err
}
