package memstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Paused implements [driver.ControlStore].
func (s *Store) Paused(ctx context.Context) ([]driver.Pause, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.paused), func(a, b driver.Pause) int {
		return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Name, b.Name))
	}), nil
}

// SetPaused implements [driver.ControlStore].
func (s *Store) SetPaused(ctx context.Context, what driver.Pausable, paused bool, by string) error {
	if err := what.Check(); err != nil {
		return fmt.Errorf("memstore: %w", err)
	}
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	act, _ := driver.ActOf(ctx)
	act.By = by
	if _, already := s.paused[what]; paused && !already {
		s.paused[what] = driver.Pause{Pausable: what, By: by, At: s.now()}
	} else if !paused {
		delete(s.paused, what)
	}
	s.audit(act, what.Action(paused), "", []string{what.Name})
	return nil
}

// Announce implements [driver.InstanceStore].
func (s *Store) Announce(ctx context.Context, in driver.Instance) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	now := s.now()
	in.StartedAt, in.SeenAt = now, now
	in.Lanes, in.Destinations, in.Figures.Types = slices.Clone(in.Lanes), slices.Clone(in.Destinations), slices.Clone(in.Figures.Types)
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
			i.Lanes, i.Destinations, i.Figures.Types = slices.Clone(i.Lanes), slices.Clone(i.Destinations), slices.Clone(i.Figures.Types)
			in = append(in, i)
		}
	}
	slices.SortFunc(in, func(a, b driver.Instance) int { return strings.Compare(string(a.Owner), string(b.Owner)) })
	return in
}
