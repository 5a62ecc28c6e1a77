package memstore

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// groupBound is where the letters of a group are no longer counted.
const groupBound = 1000

// GroupDead implements [driver.GroupStore].
func (s *Store) GroupDead(ctx context.Context, limit int) (n int, err error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	now := s.now()
	for _, l := range s.dead {
		if l.Group != "" || n >= limit {
			continue
		}
		n++
		l.Destination = driver.DestinationOfLast(l.Failures)
		g := driver.DeadGroup{Lane: l.Event.Type, Destination: l.Destination, Reason: driver.Reason(l.Error), FirstAt: now}
		g.ID, g.State = driver.GroupID(g.Lane, g.Destination, g.Reason), driver.GroupNew
		l.Group = g.ID
		if s.groups[g.ID] == nil {
			s.groups[g.ID] = &g
		}
		s.groups[g.ID].LastAt, s.groups[g.ID].Reason = now, g.Reason
	}
	return n, nil
}

// ListGroups implements [driver.GroupStore].
func (s *Store) ListGroups(ctx context.Context, f driver.GroupFilter, after *driver.GroupCursor, limit int) (groups []driver.DeadGroup, next *driver.GroupCursor, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, nil, err
	}
	defer s.mu.Unlock()
	for _, g := range s.groups {
		if shown := s.shown(g); shown.Open.N > 0 && groupMatches(f, &shown) && (after == nil || compareGroups(shown.Cursor(), after) > 0) {
			groups = append(groups, shown)
		}
	}
	slices.SortFunc(groups, func(a, b driver.DeadGroup) int { return compareGroups(a.Cursor(), b.Cursor()) })
	if limit > 0 && len(groups) > limit {
		next = groups[limit-1].Cursor()
	}
	return groups[:min(len(groups), max(limit, 0))], next, nil
}

func groupMatches(f driver.GroupFilter, g *driver.DeadGroup) bool {
	return (f.Lane == "" || g.Lane == f.Lane) && (f.Destination == "" || g.Destination == f.Destination) &&
		strings.Contains(g.Reason, f.Reason) &&
		(f.State == "" || g.State == f.State) && (f.By == "" || g.By == f.By) &&
		(f.LastAfter.IsZero() || g.LastAt.After(f.LastAfter)) && (f.LastBefore.IsZero() || g.LastAt.Before(f.LastBefore))
}

// GetGroup implements [driver.GroupStore].
func (s *Store) GetGroup(ctx context.Context, id string) (driver.DeadGroup, bool, error) {
	if err := s.lock(ctx); err != nil {
		return driver.DeadGroup{}, false, err
	}
	defer s.mu.Unlock()
	g := s.groups[id]
	if g == nil {
		return driver.DeadGroup{}, false, nil
	}
	return s.shown(g), true, nil
}

// MarkGroup implements [driver.GroupStore].
func (s *Store) MarkGroup(ctx context.Context, id string, m driver.GroupMark) (bool, error) {
	if err := s.lock(ctx); err != nil {
		return false, err
	}
	defer s.mu.Unlock()
	g := s.groups[id]
	if g == nil {
		return false, nil
	}
	m.At, m.MutedUntil = s.now(), m.MutedUntil.UTC().Truncate(time.Microsecond)
	g.GroupMark = m
	s.audit(driver.Act{By: m.By, Note: m.Note}, driver.AuditMark, "", []string{id, string(m.State)})
	return true, nil
}

// SweepGroups implements [driver.GroupStore].
func (s *Store) SweepGroups(ctx context.Context, age time.Duration, limit int) (n int, err error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	for id, g := range s.groups {
		used := slices.ContainsFunc(s.dead, func(l *letter) bool { return l.Group == id && !l.resolved() })
		if n < limit && s.held[id] == 0 && !used && !g.LastAt.After(s.now().Add(-age)) && !g.MutedUntil.After(s.now()) {
			delete(s.groups, id)
			n++
		}
	}
	return n, nil
}

// blankGroups removes the reasons of groups without an unresolved letter. It is
// called with the lock held.
func (s *Store) blankGroups() {
	open := map[string]bool{}
	for _, l := range s.dead {
		if !l.resolved() {
			open[l.Group] = true
		}
	}
	for id, g := range s.groups {
		if !open[id] {
			g.Reason = ""
		}
	}
}

// shown is the group as it is listed.
func (s *Store) shown(g *driver.DeadGroup) driver.DeadGroup {
	out := *g
	for _, l := range s.dead {
		if l.Group == g.ID && !l.resolved() {
			out.Open.N++
		}
	}
	if out.Open.N > groupBound {
		out.Open = driver.Count{N: groupBound, More: true}
	}
	if out.State == driver.GroupMuted && !out.MutedUntil.After(s.now()) {
		out.State = driver.GroupNew
	}
	return out
}

// compareGroups puts the latest first.
func compareGroups(a, b *driver.GroupCursor) int {
	return cmp.Or(b.LastAt.Compare(a.LastAt), cmp.Compare(b.ID, a.ID))
}
