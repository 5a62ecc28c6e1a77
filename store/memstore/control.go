package memstore

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Paused implements [driver.ControlStore].
func (s *Store) Paused(ctx context.Context) ([]string, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.paused)), nil
}

// SetPaused implements [driver.ControlStore].
func (s *Store) SetPaused(ctx context.Context, lane string, paused bool, by string) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	act, _ := driver.ActOf(ctx)
	act.By = by
	if paused {
		s.paused[lane] = true
		s.audit(act, driver.AuditPause, []string{lane})
	} else {
		delete(s.paused, lane)
		s.audit(act, driver.AuditResume, []string{lane})
	}
	return nil
}

// Announce implements [driver.InstanceStore].
func (s *Store) Announce(ctx context.Context, in driver.Instance) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	now := s.now()
	in.StartedAt, in.SeenAt, in.Lanes = now, now, slices.Clone(in.Lanes)
	if before, ok := s.running[in.Owner]; ok {
		in.StartedAt = before.StartedAt
	}
	s.running[in.Owner] = in
	return nil
}

// Withdraw implements [driver.InstanceStore].
func (s *Store) Withdraw(ctx context.Context, owner driver.Owner) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	delete(s.running, owner)
	return nil
}

// Instances implements [driver.InstanceStore].
func (s *Store) Instances(ctx context.Context) ([]driver.Instance, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.alive(s.now()), nil
}

func (s *Store) alive(now time.Time) []driver.Instance {
	var in []driver.Instance
	for _, i := range s.running {
		if now.Sub(i.SeenAt) < time.Minute {
			i.Lanes = slices.Clone(i.Lanes)
			in = append(in, i)
		}
	}
	slices.SortFunc(in, func(a, b driver.Instance) int { return strings.Compare(string(a.Owner), string(b.Owner)) })
	return in
}
