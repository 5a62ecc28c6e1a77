package hazelcaststore

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
)

func (s *Store) discard(ctx context.Context, m *tables, staged []*row) error {
	return each(len(staged), func(i int) error {
		_, err := s.remove(ctx, m.events, staged[i])
		return err
	})
}

// release makes an entry visible; false if it is not as it was written.
func (s *Store) release(ctx context.Context, m *tables, r *row) (bool, error) {
	next := r.entry
	next.Status, next.Lane = statusPending, next.Type
	next.Tx, next.Mend = "", nil
	return s.replace(ctx, m.events, r, next)
}

// reveal makes an entry of a Tx visible that commits; false if it is gone. A
// client that repeats calls by itself may have done it before.
func (s *Store) reveal(ctx context.Context, m *tables, r *row) (bool, error) {
	if ok, err := s.release(ctx, m, r); ok || err != nil {
		return ok, err
	}
	raw, err := m.events.get(ctx, r.ID)
	if err != nil || raw == nil {
		return false, err
	}
	now, err := parseRow(raw)
	return err == nil && now.Status != statusOpen && now.Seq == r.Seq, err
}

// revealOnly makes the only entry of a Tx visible, which is the decision; false
// if somebody has decided to abort.
func (s *Store) revealOnly(ctx context.Context, m *tables, r *row) (bool, error) {
	ok, err := s.reveal(ctx, m, r)
	if ok || err != nil {
		return ok, err
	}
	aborted, err := m.txs.get(ctx, r.Tx)
	if err == nil && aborted == nil {
		err = errGone
	}
	return false, err
}

// revealAll makes the entries of a Tx visible that is committed, and reports
// whether some are gone.
func (s *Store) revealAll(ctx context.Context, m *tables, staged []*row) (gone bool, err error) {
	var missing atomic.Bool
	err = each(len(staged), func(i int) error {
		ok, err := s.reveal(ctx, m, staged[i])
		if !ok && err == nil {
			missing.Store(true)
		}
		return err
	})
	return missing.Load(), err
}

// mendOpen finishes a Tx whose process left this entry behind. It reports false if
// that may still be at work.
func (s *Store) mendOpen(ctx context.Context, m *tables, r *row) (bool, error) {
	if r.Mend == nil || *r.Mend > s.clock.now()-s.clock.tolerance() {
		return false, nil
	}
	before, err := m.txs.putIfAbsent(ctx, r.Tx, encode(decision{}), s.abortsKept())
	if err != nil {
		return false, err
	}
	var d decision
	if before != nil {
		if err := json.Unmarshal(before, &d); err != nil {
			return false, err
		}
	}
	if d.Commit && slices.Contains(d.IDs, r.ID) {
		_, err = s.release(ctx, m, r)
	} else {
		_, err = s.remove(ctx, m.events, r)
	}
	return err == nil, err
}
