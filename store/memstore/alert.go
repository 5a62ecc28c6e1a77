package memstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// alert is an alert as it is stored.
type alert struct {
	driver.Alert
	notifyAt time.Time // zero: no notification is due
}

// muted reports whether people are not to be told of it now.
func (a *alert) muted(now time.Time) bool { return a.MutedUntil.After(now) }

// SeeAlerts implements [driver.AlertStore].
func (s *Store) SeeAlerts(ctx context.Context, seen []driver.Sighting, quiet time.Duration) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	now := s.now()
	for _, one := range seen {
		a := s.alerts[one.ID()]
		if a == nil {
			a = &alert{Alert: driver.Alert{ID: one.ID(), RaisedAt: now}, notifyAt: now}
			s.alerts[a.ID] = a
		}
		if !a.Open() {
			a.RaisedAt, a.ResolvedAt, a.NotifiedAt, a.Notices, a.notifyAt = now, time.Time{}, time.Time{}, 0, now
			a.Turn++
		}
		a.Sighting, a.SeenAt = one, now
	}
	for _, a := range s.alerts {
		if !a.Open() || now.Sub(a.SeenAt) < quiet {
			continue
		}
		a.ResolvedAt, a.notifyAt = now, time.Time{}
		a.Turn++
		if !a.NotifiedAt.IsZero() {
			a.notifyAt = now
		}
	}
	return nil
}

// DueAlerts implements [driver.AlertStore].
func (s *Store) DueAlerts(ctx context.Context, lease time.Duration, limit int) ([]driver.Alert, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	now := s.now()
	var due []*alert
	for _, a := range s.alerts {
		if !a.notifyAt.IsZero() && !a.notifyAt.After(now) && (!a.Open() || !a.muted(now)) {
			due = append(due, a)
		}
	}
	slices.SortFunc(due, func(a, b *alert) int { return cmp.Or(a.notifyAt.Compare(b.notifyAt), cmp.Compare(a.ID, b.ID)) })
	var claimed []driver.Alert
	for _, a := range due[:min(len(due), max(limit, 0))] {
		a.Turn++
		claimed = append(claimed, a.Alert)
		a.NotifiedAt, a.notifyAt = now, now.Add(lease)
	}
	return claimed, nil
}

// ToldAlerts implements [driver.AlertStore].
func (s *Store) ToldAlerts(ctx context.Context, told []driver.Alert, repeat time.Duration) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	for _, one := range told {
		a := s.alerts[one.ID]
		if a == nil || a.Turn != one.Turn {
			continue
		}
		a.Notices++
		a.notifyAt = time.Time{}
		if a.Open() {
			a.notifyAt = s.now().Add(repeat)
		}
	}
	return nil
}

// ListAlerts implements [driver.AlertStore].
func (s *Store) ListAlerts(ctx context.Context, f driver.AlertFilter, limit int) ([]driver.Alert, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var all []driver.Alert
	for _, a := range s.alerts {
		if (f.State == "" || a.is(f.State, s.now())) && (f.Rule == "" || a.Rule == f.Rule) {
			all = append(all, a.Alert)
		}
	}
	slices.SortFunc(all, func(a, b driver.Alert) int {
		if a.Open() != b.Open() {
			if a.Open() {
				return -1
			}
			return 1
		}
		return cmp.Or(b.RaisedAt.Compare(a.RaisedAt), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), max(limit, 0))], nil
}

func (a *alert) is(state driver.AlertState, now time.Time) bool {
	switch state {
	case driver.AlertOpen:
		return a.Open()
	case driver.AlertResolved:
		return !a.Open()
	case driver.AlertMuted:
		return a.MutedUntil.After(now)
	}
	return false
}

// MuteAlert implements [driver.AlertStore].
func (s *Store) MuteAlert(ctx context.Context, id string, m driver.AlertMute) (bool, error) {
	if err := s.lock(ctx); err != nil {
		return false, err
	}
	defer s.mu.Unlock()
	a := s.alerts[id]
	if a == nil {
		return false, nil
	}
	action := driver.AuditUnmute
	if !m.MutedUntil.IsZero() {
		action = driver.AuditMute
		m.MutedUntil = m.MutedUntil.UTC().Truncate(time.Microsecond)
	}
	m.MarkedAt = s.now()
	a.AlertMute = m
	s.audit(driver.Act{By: m.By, Note: m.Note}, action, "", []string{id})
	return true, nil
}

// SweepAlerts implements [driver.AlertStore].
func (s *Store) SweepAlerts(ctx context.Context, age time.Duration, limit int) (n int, err error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	now := s.now()
	for id, a := range s.alerts {
		if n < limit && s.held[id] == 0 && !a.Open() && !a.muted(now) && now.Sub(a.ResolvedAt) >= age {
			delete(s.alerts, id)
			n++
		}
	}
	return n, nil
}
