package hazelcaststore

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hazelcast/hazelcast-go-client/predicate"
)

// Sweep implements [driver.Store]. Instances that sweep at once share the work.
func (s *Store) Sweep(ctx context.Context, age time.Duration, limit int) (n int, err error) {
	err = s.call(ctx, func(ctx context.Context, m *tables) (err error) {
		if err := s.mend(ctx, m); err != nil {
			return err
		}
		n, err = s.sweep(ctx, m.events, "done", predicate.Equal("status", statusDelivered), age, limit)
		return err
	})
	return n, err
}

// SweepDead implements [driver.DeadLetterStore].
func (s *Store) SweepDead(ctx context.Context, age time.Duration, limit int) (n int, err error) {
	err = s.call(ctx, func(ctx context.Context, m *tables) (err error) {
		n, err = s.sweep(ctx, m.letters, "resolved", nil, age, limit)
		return err
	})
	return n, err
}

// sweep deletes entries whose time is longer ago than age, the earliest first.
func (s *Store) sweep(ctx context.Context, t *table, attribute string, match predicate.Predicate, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	before := s.clock.now() - micros(age)
	name := "\x00" + attribute // no lane has this name
	old, known := &scan{table: t, match: match, attribute: attribute, then: "seq", to: before, most: maxWindow}, s.heads.get(name)
	if found, err := old.begin(ctx, known); err != nil || !found {
		return 0, err
	}
	var swept atomic.Int64
	err := old.run(ctx, func(texts [][]byte) (bool, error) {
		texts = texts[:min(len(texts), limit-int(swept.Load()))]
		err := each(len(texts), func(i int) error {
			key, err := keyOf(texts[i])
			if err != nil {
				return nil // not an entry of this store
			}
			ok, err := t.remove(ctx, key, texts[i])
			if ok {
				swept.Add(1)
			}
			return err
		})
		return int(swept.Load()) < limit, err
	})
	if err == nil {
		s.heads.set(name, head{from: old.from, width: old.width})
	}
	return int(swept.Load()), err
}
