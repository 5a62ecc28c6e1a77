package hazelcaststore

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Take implements [driver.Store].
func (s *Store) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) (taken []driver.Held, err error) {
	var hot []driver.Held
	for _, h := range rows {
		if h.ClaimNo == 0 {
			hot = append(hot, h)
		}
	}
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		held, err := s.alter(ctx, m, owner, hot, func(ctx context.Context, _ int, r *row) (bool, error) {
			next := r.entry
			next.take(owner, s.clock.tick()+micros(lease))
			return s.replace(ctx, m.events, r, next)
		})
		taken = make([]driver.Held, 0, len(hot))
		for i, h := range hot {
			if held[i] {
				h.ClaimNo = 1
				taken = append(taken, h)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// Confirm implements [driver.Store].
func (s *Store) Confirm(ctx context.Context, rows []driver.Held) (there []driver.Held, err error) {
	var ids []string
	for _, h := range rows {
		ids = append(ids, h.EventID)
	}
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		found := map[string][]byte{}
		err := chunks(ids, func(ids []string) error {
			texts, err := m.events.getAll(ctx, ids)
			for id, raw := range texts {
				found[id] = raw
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, h := range rows {
			if raw := found[h.EventID]; raw != nil && h.ClaimNo == 0 {
				if r, err := parseRow(raw); err == nil && r.heldAs("", h) {
					there = append(there, h)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return there, nil
}
