package memstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

var _ driver.Ledger[*Tx] = (*Store)(nil)

// ledger is what consumer groups have consumed.
type ledger struct {
	entries   map[consumed]time.Time // committed, with the time of Record
	recording map[consumed]*Tx       // by transactions still open
}

type consumed struct{ group, id string }

// entry is what a transaction notes.
type entry struct {
	key consumed
	at  time.Time
}

func newLedger() ledger {
	return ledger{entries: map[consumed]time.Time{}, recording: map[consumed]*Tx{}}
}

// Record implements [driver.Ledger]. It reports a deadlock at once, as a
// database does.
func (s *Store) Record(ctx context.Context, tx *Tx, group string, ids []string) ([]bool, error) {
	if err := driver.CheckConsumed(group, ids...); err != nil {
		return nil, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fresh, released, err := s.tryRecord(tx, group, ids)
		if released == nil {
			return fresh, err
		}
		select {
		case <-released:
		case <-ctx.Done():
		}
		s.stopWaiting(tx)
	}
}

func (s *Store) stopWaiting(tx *Tx) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tx.waitsFor = nil
}

// tryRecord records, or returns what to wait for before the next try.
func (s *Store) tryRecord(tx *Tx, group string, ids []string) (fresh []bool, released <-chan struct{}, err error) {
	unlock, err := tx.lock()
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	if tx.store != s {
		return nil, nil, fmt.Errorf("%w: it belongs to another store", outbox.ErrNoTransaction)
	}
	for _, id := range ids {
		other := s.ledger.recording[consumed{group, id}]
		if other == nil || other == tx {
			continue
		}
		for next := other; next != nil; next = next.waitsFor {
			if next == tx {
				return nil, nil, fmt.Errorf("%w: deadlock between transactions", outbox.ErrConflict)
			}
		}
		tx.waitsFor = other
		return nil, other.released, nil
	}
	return s.record(tx, group, ids), nil, nil
}

func (s *Store) record(tx *Tx, group string, ids []string) []bool {
	now, fresh := s.now(), make([]bool, len(ids))
	for i, id := range ids {
		key := consumed{group, id}
		_, known := s.ledger.entries[key]
		if known || s.ledger.recording[key] != nil {
			continue
		}
		fresh[i] = true
		s.ledger.recording[key] = tx
		tx.changes = append(tx.changes, change{entry: &entry{key, now}})
	}
	return fresh
}

// Known implements [driver.Ledger].
func (s *Store) Known(ctx context.Context, group string, ids []string) ([]bool, error) {
	if err := driver.CheckConsumed(group, ids...); err != nil {
		return nil, err
	}
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	known := make([]bool, len(ids))
	for i, id := range ids {
		_, known[i] = s.ledger.entries[consumed{group, id}]
	}
	return known, nil
}

// Forget implements [driver.Ledger].
func (s *Store) Forget(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
	if err := driver.CheckConsumed(group); err != nil {
		return 0, err
	}
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	before := s.now().Add(-age)
	var old []consumed
	for key, at := range s.ledger.entries {
		if key.group == group && !at.After(before) {
			old = append(old, key)
		}
	}
	slices.SortFunc(old, func(a, b consumed) int {
		return cmp.Or(s.ledger.entries[a].Compare(s.ledger.entries[b]), cmp.Compare(a.id, b.id))
	})
	old = old[:min(max(limit, 0), len(old))]
	maps.DeleteFunc(s.ledger.entries, func(key consumed, _ time.Time) bool { return slices.Contains(old, key) })
	return len(old), nil
}

// AgeConsumed ages the entries of a group, as if that much time had passed. It
// is for tests.
func (s *Store) AgeConsumed(ctx context.Context, group string, by time.Duration, ids ...string) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	for _, id := range ids {
		if at, known := s.ledger.entries[consumed{group, id}]; known {
			s.ledger.entries[consumed{group, id}] = at.Add(-by)
		}
	}
	return nil
}
