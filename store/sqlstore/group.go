package sqlstore

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// groupBound is where the letters of a group are no longer counted.
const groupBound = 1000

// GroupDead implements [driver.GroupStore].
func (s *Engine) GroupDead(ctx context.Context, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var n int
	err := s.run(ctx, s.sweepCall("group dead letters", func(ctx context.Context, session *Session) error {
		letters, err := skipping(ctx, session, s.queries.Ungrouped, scanUngrouped, nil, stored.AtMost(limit))
		if n = len(letters); err != nil || n == 0 {
			return err
		}
		filed, groups := newBatch(4, n), map[string]driver.DeadGroup{}
		for _, l := range letters {
			filed.add(l.EventID, l.Seq, l.group.ID, l.group.Destination)
			groups[l.group.ID] = l.group
		}
		if n, err = session.Exec(ctx, s.queries.GroupLetters, filed); err != nil {
			return err
		}
		added := newBatch(4, len(groups))
		for _, g := range slices.SortedFunc(maps.Values(groups), func(a, b driver.DeadGroup) int { return cmp.Compare(a.ID, b.ID) }) {
			added.add(g.ID, g.Lane, g.Destination, g.Reason)
		}
		_, err = session.Exec(ctx, s.queries.GroupAdd, added)
		return err
	}))
	if err != nil {
		return 0, err
	}
	return n, nil
}

// ungrouped is a letter on its way into its group.
type ungrouped struct {
	driver.Held
	group driver.DeadGroup
}

func scanUngrouped(rows Rows) (u ungrouped, err error) {
	var reason text
	var failures data
	if err = rows.Scan(&u.EventID, &u.Seq, &u.group.Lane, &reason, &failures); err != nil {
		return u, err
	}
	u.group.Destination = driver.DestinationOfLast(driver.ParseFailures(json.RawMessage(failures)))
	u.group.Reason = driver.Reason(string(reason))
	u.group.ID = driver.GroupID(u.group.Lane, u.group.Destination, u.group.Reason)
	return u, nil
}

// ListGroups implements [driver.GroupStore].
func (s *Engine) ListGroups(ctx context.Context, f driver.GroupFilter, after *driver.GroupCursor, limit int) (groups []driver.DeadGroup, next *driver.GroupCursor, err error) {
	if limit <= 0 {
		return nil, nil, nil
	}
	limit = min(limit, math.MaxInt32-1)
	err = s.run(ctx, s.personCall("list groups of dead letters", func(ctx context.Context, session *Session) error {
		start, times := groupArguments(after), []any{timeOrNull(f.LastAfter), earlier(f.LastBefore)}
		rows, err := session.Query(ctx, s.queries.GroupEnd, nil, append(slices.Concat(times, start), int64(searched-1))...)
		if next, err = firstOf(rows, err, scanGroupEnd); err != nil {
			return err
		}
		args := slices.Concat([]any{f.Lane, f.Destination, f.Reason, string(f.State), f.By}, times, start, groupArguments(next))
		groups, err = session.groups(ctx, s.queries.GroupList, append(args, stored.AtMost(limit+1))...)
		return err
	}))
	if err != nil {
		return nil, nil, err
	}
	if len(groups) > limit {
		groups = groups[:limit]
		next = groups[limit-1].Cursor()
	}
	return groups, next, nil
}

func groupArguments(c *driver.GroupCursor) []any {
	if c == nil {
		return []any{nil, nil}
	}
	return []any{c.LastAt, c.ID}
}

func scanGroupEnd(rows Rows) (*driver.GroupCursor, error) {
	var c driver.GroupCursor
	var last moment
	err := rows.Scan(&last, &c.ID)
	c.LastAt = last.Time
	return &c, err
}

// GetGroup implements [driver.GroupStore].
func (s *Engine) GetGroup(ctx context.Context, id string) (driver.DeadGroup, bool, error) {
	if id == "" {
		return driver.DeadGroup{}, false, nil
	}
	var found []driver.DeadGroup
	err := s.run(ctx, s.personCall("get a group of dead letters", func(ctx context.Context, session *Session) (err error) {
		found, err = session.groups(ctx, s.queries.GroupGet, id)
		return err
	}))
	if err != nil || len(found) == 0 {
		return driver.DeadGroup{}, false, err
	}
	return found[0], true, nil
}

// groups reads groups, and counts their letters.
func (s *Session) groups(ctx context.Context, q Query, args ...any) ([]driver.DeadGroup, error) {
	rows, err := s.Query(ctx, q, nil, args...)
	groups, err := collect(rows, err, scanGroup)
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(groups, statsTogether) {
		if err := s.countLetters(ctx, some); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

func scanGroup(rows Rows) (g driver.DeadGroup, err error) {
	var first, last, marked, muted moment
	var by, note text
	if err = rows.Scan(&g.ID, &g.Lane, &g.Destination, &g.Reason, &first, &last, &g.State, &by, &note, &marked, &muted); err != nil {
		return g, err
	}
	g.FirstAt, g.LastAt, g.At, g.MutedUntil = first.Time, last.Time, marked.Time, muted.Time
	g.By, g.Note = string(by), string(note)
	return g, nil
}

// countLetters sets the number of unresolved letters of some groups.
func (s *Session) countLetters(ctx context.Context, groups []driver.DeadGroup) error {
	var rows Rows
	var err error
	if s.Dialect.LaneByLane {
		var args []any
		for _, g := range groups {
			args = append(args, g.ID, int64(groupBound+1))
		}
		rows, err = s.Query(ctx, s.Queries.GroupCount.union(len(groups), 2), nil, args...)
	} else {
		ids := newBatch(1, len(groups))
		for _, g := range groups {
			ids.add(g.ID)
		}
		rows, err = s.Query(ctx, s.Queries.GroupCount, ids, int64(groupBound+1))
	}
	type counted struct {
		id string
		n  int64
	}
	all, err := collect(rows, err, func(rows Rows) (c counted, err error) { return c, rows.Scan(&c.id, &c.n) })
	for _, c := range all {
		for i := range groups {
			if groups[i].ID == c.id {
				groups[i].Open = driver.Count{N: min(c.n, groupBound), More: c.n > groupBound}
			}
		}
	}
	return err
}

// MarkGroup implements [driver.GroupStore].
func (s *Engine) MarkGroup(ctx context.Context, id string, m driver.GroupMark) (bool, error) {
	var found bool
	err := s.run(ctx, s.personCall("mark a group of dead letters", func(ctx context.Context, session *Session) error {
		n, err := session.Exec(ctx, s.queries.GroupMark, nil, id, string(m.State), driver.CleanText(m.By, maxActor),
			driver.CleanText(m.Note, driver.MaxErrorLength), timeOrNull(m.MutedUntil))
		if found = n > 0; err != nil || !found {
			return err
		}
		return session.audit(ctx, driver.Act{By: m.By, Note: m.Note}, driver.AuditMark, "", []string{id, string(m.State)})
	}))
	return found && err == nil, err
}

// SweepGroups implements [driver.GroupStore].
func (s *Engine) SweepGroups(ctx context.Context, age time.Duration, limit int) (int, error) {
	return s.removeCall(ctx, "sweep groups of dead letters", removal{s.queries.GroupSweep, s.queries.GroupFree, scanName}, age, limit)
}
