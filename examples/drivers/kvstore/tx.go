package kvstore

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Tx is a transaction. While one is open, everybody else waits.
type Tx struct {
	store  *Store
	open   bool
	values map[string]string
	rows   map[string]row
}

// Begin implements [outbox.TxStore].
func (s *Store) Begin(ctx context.Context) (tx *Tx, commit, rollback func() error, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, nil, nil, err
	}
	tx = &Tx{store: s, open: true, values: map[string]string{}, rows: map[string]row{}}
	return tx, tx.Commit, tx.Rollback, nil
}

// Set sets a value: the business change that an event tells about.
func (tx *Tx) Set(key, value string) error {
	if err := tx.usable(); err != nil {
		return err
	}
	tx.values[key] = value
	return nil
}

// Commit makes values and events visible together.
func (tx *Tx) Commit() error {
	if err := tx.usable(); err != nil {
		return err
	}
	tx.open = false
	defer tx.store.unlock()
	return tx.store.apply(func(next *state, _ time.Time) {
		next.LastSeq = tx.store.seq
		maps.Copy(next.Values, tx.values)
		maps.Copy(next.Rows, tx.rows)
	})
}

// Rollback forgets them.
func (tx *Tx) Rollback() error {
	if err := tx.usable(); err != nil {
		return err
	}
	tx.open = false
	tx.store.unlock()
	return nil
}

func (tx *Tx) usable() error {
	if tx == nil || !tx.open {
		return fmt.Errorf("%w: kvstore: begin one and write before it ends", outbox.ErrNoTransaction)
	}
	return nil
}

// CommitError implements [outbox.TxStore]. The answer of a file does not get lost.
func (s *Store) CommitError(err error) error { return err }

// Insert implements [outbox.TxStore]. A row is top-level because this database has
// no savepoints.
func (s *Store) Insert(ctx context.Context, tx *Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := tx.usable(); err != nil {
		return nil, err
	}
	if tx.store != s {
		return nil, fmt.Errorf("%w: kvstore: it belongs to another store", outbox.ErrNoTransaction)
	}
	answers, fresh := make([]outbox.Inserted, len(req.Events)), map[string]row{}
	for i, e := range req.Events {
		_, again := fresh[e.ID]
		exists := again || tx.has(e.ID)
		if exists && !req.IfAbsent {
			return nil, driver.DuplicateID(req.Events[i:i+1], "", nil)
		} else if exists || req.IfAbsent && s.now.died(e.ID) {
			continue
		}
		s.seq++
		fresh[e.ID] = newRow(e, s.seq, clock(), req.HeadStart)
		answers[i] = outbox.Inserted{Seq: s.seq, TopLevel: true}
	}
	maps.Copy(tx.rows, fresh) // all of them or, after an error, none
	return answers, nil
}

func (tx *Tx) has(id string) bool {
	_, stored := tx.store.now.Rows[id]
	_, written := tx.rows[id]
	return stored || written
}

func (st state) died(id string) bool {
	for _, r := range st.Dead {
		if r.Event.ID == id {
			return true
		}
	}
	return false
}

// Get is a committed value.
func (s *Store) Get(ctx context.Context, key string) (value string, found bool, err error) {
	if err := s.lock(ctx); err != nil {
		return "", false, err
	}
	defer s.unlock()
	value, found = s.now.Values[key]
	return value, found, nil
}
