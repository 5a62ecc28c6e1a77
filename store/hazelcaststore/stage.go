package hazelcaststore

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// stage writes entries that no relay sees, and reports which were not there.
func (s *Store) stage(ctx context.Context, m *tables, tx *Tx, rows []*row, ifAbsent bool) ([]bool, error) {
	staged := make([]bool, len(rows))
	err := each(len(rows), func(i int) (err error) {
		if rows[i] != nil {
			staged[i], err = s.stageOne(ctx, m, tx, rows[i], ifAbsent)
		}
		return err
	})
	return staged, err
}

// stageOne waits while another Tx has the id, as a database does.
func (s *Store) stageOne(ctx context.Context, m *tables, tx *Tx, r *row, ifAbsent bool) (bool, error) {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		raw, err := m.events.putIfAbsent(ctx, r.ID, r.raw, 0)
		if raw == nil || err != nil {
			return err == nil, err
		}
		other, err := parseRow(raw)
		if err != nil {
			return false, err
		}
		switch {
		case other.Status == statusFailed && !ifAbsent: // dead, and its id may be written again
			if err := s.moveToDead(ctx, m, other); err != nil {
				return false, err
			}
			continue
		case other.Status != statusOpen || tx.wrote(other):
			return false, nil
		case other.Tx == tx.id: // by a call of this Tx that failed: its answer was lost
			if _, err := s.remove(ctx, m.events, other); err != nil {
				return false, err
			}
			continue
		}
		if ended, err := s.mendOpen(ctx, m, other); ended || err != nil {
			if err != nil {
				return false, err
			}
			continue
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return false, fmt.Errorf("%w: hazelcaststore: another Tx has written event %s and has not ended yet: try again", outbox.ErrStoreDown, r.ID)
		}
	}
}

// unstage takes back what a call has written before it failed.
func (s *Store) unstage(rows []*row, staged []bool, cause error) error {
	var mine []*row
	for i, r := range rows {
		if r != nil && (staged[i] || down(classify(cause))) { // an answer may have been lost
			mine = append(mine, r)
		}
	}
	if len(mine) > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), s.cfg.CallTimeout)
		defer cancel()
		if m, err := s.open(ctx); err == nil {
			_ = s.discard(ctx, m, mine) // otherwise whoever mends finds them
		}
	}
	return cause
}

// duplicate names the first event that was there already.
func duplicate(es []outbox.Event, staged []bool) error {
	for i := range es {
		if !staged[i] {
			return driver.DuplicateID(es[i:i+1], "", nil)
		}
	}
	return nil
}
