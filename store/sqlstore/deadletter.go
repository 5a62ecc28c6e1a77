package sqlstore

import (
	"context"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// countBound is where counting stops: a number on a page is not worth a scan.
const countBound = 10_000

func filterArguments(f driver.DeadFilter) []any {
	return []any{f.Lane, f.Error, earlier(f.DiedBefore), timeOrNull(f.DiedAfter), f.Group, f.Destination, f.Tenant, f.Key, leftOut(f.Unerased)}
}

// leftOut are the headers, as dlq_erase.sql and event_erase.sql write them, of what
// a filter leaves out.
func leftOut(unerased bool) string {
	if unerased {
		return `{"` + driver.Erased + `":"true"}`
	}
	return ""
}

// CountDead implements [driver.DeadLetterStore].
func (s *Engine) CountDead(ctx context.Context, f driver.DeadFilter) (driver.Count, error) {
	var n driver.Count
	c := s.personCall("count dead letters", func(ctx context.Context, session *Session) error {
		end, err := session.searchEnd(ctx, f, nil, searchedToCount)
		if err != nil {
			return err
		}
		args := append(filterArguments(f), cursorArguments(end)...)
		n, err = session.count(ctx, s.queries.DeadCount.of(f).lean(append(args, countBound)), args...)
		n.More = n.More || end != nil
		return err
	})
	if !searches(f) {
		c = c.single()
	}
	err := s.run(ctx, c)
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

// How many letters one page and one count look at for those that match, where no
// index finds just these.
const (
	searched        = 2_500
	searchedToCount = 10 * searched
)

// ListDead implements [driver.DeadLetterStore].
func (s *Engine) ListDead(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) (letters []driver.DeadLetter, next *driver.DeadCursor, err error) {
	if limit <= 0 {
		return nil, nil, nil
	}
	limit = min(limit, math.MaxInt32-1)
	var cut bool
	c := s.personCall("list dead letters", func(ctx context.Context, session *Session) (err error) {
		if next, err = session.searchEnd(ctx, f, after, searched); err != nil {
			return err
		}
		args := append(filterArguments(f), cursorArguments(after)...)
		args = append(append(args, cursorArguments(next)...), stored.AtMost(limit+1))
		rows, err := session.Query(ctx, s.queries.DeadList.of(f).lean(args), nil, args...)
		letters, cut, err = collectUntil(rows, err, session.scanLetter, full(func(l driver.DeadLetter) int { return len(l.Event.Payload()) }))
		return err
	})
	if !searches(f) {
		c = c.single()
	}
	if err := s.run(ctx, c); err != nil {
		return nil, nil, err
	}
	if cut || len(letters) > limit {
		letters = letters[:min(len(letters), limit)]
		next = letters[len(letters)-1].Cursor()
	}
	return letters, next, nil
}

// of is the statement for the letters of a filter: those that are open, as it is
// written, or those that are resolved; through the index of what it filters by.
func (q Query) of(f driver.DeadFilter) Query {
	if f.Resolved {
		q.SQL = strings.ReplaceAll(q.SQL, "resolved_at IS NULL", "resolved_at IS NOT NULL")
	}
	return q.through(indexed(f))
}

var diedIndex = regexp.MustCompile(`(FORCE INDEX \(\S+_)died\b`)

// through replaces the index that a statement names, which has the time alone, by
// the one of a condition. MySQL does not find it by itself: if many letters match,
// it reads all that died later for each page, though the page begins after them.
func (q Query) through(i driver.DeadFilter) Query {
	index := "died"
	switch {
	case i.Group != "":
		index = "group"
	case i.Key != "":
		index = "key"
	case i.Tenant != "":
		index = "tenant"
	case i.Lane != "":
		index = "lane"
	}
	q.SQL = diedIndex.ReplaceAllString(q.SQL, "${1}"+index)
	return q
}

// indexed is what an index finds of a filter: one of its conditions, with the
// times. The index of groups has open letters alone.
func indexed(f driver.DeadFilter) driver.DeadFilter {
	i := driver.DeadFilter{DiedBefore: f.DiedBefore, DiedAfter: f.DiedAfter}
	switch {
	case f.Group != "" && !f.Resolved:
		i.Group = f.Group
	case f.Key != "":
		i.Key = f.Key
	case f.Tenant != "":
		i.Tenant = f.Tenant
	default:
		i.Lane = f.Lane
	}
	return i
}

// searches reports whether letters are looked at that may not match.
func searches(f driver.DeadFilter) bool { return indexed(f) != f }

// searchEnd returns the last letter that a search looks at, or nil if it looks at
// all.
func (s *Session) searchEnd(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, most int64) (*driver.DeadCursor, error) {
	if !searches(f) {
		return nil, nil
	}
	i := indexed(f)
	q := s.Queries.DeadSearchEnd.through(i)
	if f.Resolved {
		q.SQL = strings.ReplaceAll(q.SQL, "d.resolved_at IS NULL", "true")
		q.SQL = strings.ReplaceAll(q.SQL, "resolved_at IS NULL", "true")
	}
	args := []any{i.Lane, i.Group, i.Tenant, i.Key, earlier(i.DiedBefore), timeOrNull(i.DiedAfter)}
	args = append(append(args, cursorArguments(after)...), most-1)
	rows, err := s.Query(ctx, q.lean(args), nil, args...)
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

// EarlierDead implements [driver.DeadLetterStore].
func (s *Engine) EarlierDead(ctx context.Context, id string, seq int64, limit int) (letters []driver.DeadLetter, err error) {
	if limit <= 0 {
		return nil, nil
	}
	err = s.run(ctx, s.personCall("list earlier dead letters", func(ctx context.Context, session *Session) error {
		rows, err := session.Query(ctx, s.queries.DeadEarlier, nil, id, seq, stored.AtMost(limit))
		letters, _, err = collectUntil(rows, err, session.scanLetter, full(func(l driver.DeadLetter) int { return len(l.Event.Payload()) }))
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return letters, nil
}

// SweepDead implements [driver.DeadLetterStore].
func (s *Engine) SweepDead(ctx context.Context, age time.Duration, limit int) (int, error) {
	return s.removeCall(ctx, "sweep dead letters", removal{s.queries.DeadSweep, s.queries.DeadFree, scanLetterKey}, age, limit)
}
