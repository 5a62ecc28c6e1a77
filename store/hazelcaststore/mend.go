package hazelcaststore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hazelcast/hazelcast-go-client/predicate"
)

// mendEvery bounds how often a process looks for what others left half done.
const mendEvery = 5 * time.Second

// mendAfter is how long a process may take for a move of several steps until
// another one finishes it.
func (s *Store) mendAfter() time.Duration { return 2 * s.cfg.CallTimeout }

// mend finishes what processes that died have left half done: entries of a Tx
// that never ended, decisions that were not carried out, and rows on their way
// to the dead letters. Every instance does it now and then; each step may be
// repeated.
func (s *Store) mend(ctx context.Context, m *tables) error {
	now := s.clock.now()
	last := s.mended.Load()
	if (last <= now && now-last < micros(mendEvery)) || !s.mended.CompareAndSwap(last, now) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, s.cfg.CallTimeout/2)
	defer cancel()
	err := s.mendAll(limited, m, now-s.clock.tolerance())
	if limited.Err() != nil && ctx.Err() == nil {
		return nil // the rest is for the next time: the caller has work of its own
	}
	return err
}

func (s *Store) mendAll(ctx context.Context, m *tables, before int64) error {
	if err := s.mendDecisions(ctx, m, before); err != nil {
		return err
	}
	left := &scan{table: m.events, attribute: "mend", from: 0, to: before, width: before, most: maxWindow}
	return left.run(ctx, func(texts [][]byte) (bool, error) {
		return true, each(len(texts), func(i int) error {
			r, err := parseRow(texts[i])
			if err != nil {
				return nil // not an entry of this store
			}
			if r.Status == statusFailed {
				return s.moveToDead(ctx, m, r)
			}
			_, err = s.mendOpen(ctx, m, r)
			return err
		})
	})
}

// mendDecisions makes visible what was committed. There are as many decisions as
// commits are under way.
func (s *Store) mendDecisions(ctx context.Context, m *tables, before int64) error {
	keys, err := m.txs.m.GetKeySetWithPredicate(ctx, predicate.And(predicate.Equal("commit", true), predicate.LessOrEqual("mend", before)))
	if err != nil {
		return err
	}
	for _, k := range keys {
		id, _ := k.(string)
		raw, err := m.txs.get(ctx, id)
		if err != nil {
			return err
		}
		if raw == nil {
			continue
		}
		var d decision
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		if err := s.carryOut(ctx, m, id, d); err != nil {
			return err
		}
		if _, err := m.txs.remove(ctx, id, raw); err != nil {
			return err
		}
	}
	return nil
}

// carryOut makes the entries of a Tx visible that are still hidden.
func (s *Store) carryOut(ctx context.Context, m *tables, tx string, d decision) error {
	return chunks(d.IDs, func(ids []string) error {
		texts, err := m.events.getAll(ctx, ids)
		if err != nil {
			return err
		}
		for _, raw := range texts {
			r, err := parseRow(raw)
			if err != nil || r.Status != statusOpen || r.Tx != tx {
				continue
			}
			if _, err := s.release(ctx, m, r); err != nil {
				return err
			}
		}
		return nil
	})
}
