package memstore

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox"
)

// Tx is an open transaction. It is for one goroutine at a time.
type Tx struct {
	store      *Store
	open       bool
	changes    []change // in order; applied by Commit
	savepoints []savepoint
	// released is closed when others may write the ids that the transaction
	// wrote.
	released chan struct{}
	// waitsFor is the transaction that Record waits for.
	waitsFor *Tx
}

// change is an event row, an entry of the ledger or a business value.
type change struct {
	row        *row
	entry      *entry
	key, value string
}

// savepoint is a name for a number of changes.
type savepoint struct {
	name    string
	changes int
}

// Begin implements [outbox.TxStore].
func (s *Store) Begin(ctx context.Context) (_ *Tx, commit, rollback func() error, err error) {
	tx, err := s.BeginTx(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	return tx, tx.Commit, tx.Rollback, nil
}

// BeginTx starts a transaction that the caller ends.
func (s *Store) BeginTx(ctx context.Context) (*Tx, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return &Tx{store: s, open: true, released: make(chan struct{})}, nil
}

// CommitError implements [outbox.TxStore]. No answer gets lost in memory.
func (s *Store) CommitError(err error) error { return err }

// Commit makes all changes visible at once.
func (tx *Tx) Commit() error {
	unlock, err := tx.lock()
	if err != nil {
		return err
	}
	defer unlock()
	for _, c := range tx.changes {
		switch {
		case c.row != nil:
			tx.store.put(c.row)
		case c.entry != nil:
			tx.store.ledger.entries[c.entry.key] = c.entry.at
		default:
			tx.store.business[c.key] = c.value
		}
	}
	tx.end()
	return nil
}

// Rollback drops all changes.
func (tx *Tx) Rollback() error {
	unlock, err := tx.lock()
	if err != nil {
		return err
	}
	defer unlock()
	tx.end()
	return nil
}

// Savepoint marks a place to roll back to. Events written after it are not
// top-level.
func (tx *Tx) Savepoint(name string) error {
	unlock, err := tx.lock()
	if err != nil {
		return err
	}
	defer unlock()
	tx.savepoints = append(tx.savepoints, savepoint{name, len(tx.changes)})
	return nil
}

// RollbackTo drops what was changed since the latest savepoint of that name,
// which stays, and forgets later ones.
func (tx *Tx) RollbackTo(name string) error {
	unlock, err := tx.lock()
	if err != nil {
		return err
	}
	defer unlock()
	for i := len(tx.savepoints) - 1; i >= 0; i-- {
		if tx.savepoints[i].name == name {
			tx.release(tx.changes[tx.savepoints[i].changes:])
			tx.changes = tx.changes[:tx.savepoints[i].changes]
			tx.savepoints = tx.savepoints[:i+1]
			return nil
		}
	}
	return fmt.Errorf("memstore: no savepoint %q", name)
}

// lock takes the store's lock, if the transaction is still open.
func (tx *Tx) lock() (unlock func(), err error) {
	if tx == nil {
		return nil, fmt.Errorf("%w: it is nil", outbox.ErrNoTransaction)
	}
	tx.store.mu.Lock()
	switch {
	case tx.store.closed:
		tx.store.mu.Unlock()
		return nil, outbox.ErrStoreDown
	case !tx.open:
		tx.store.mu.Unlock()
		return nil, fmt.Errorf("%w: it was committed or rolled back before", outbox.ErrNoTransaction)
	}
	return tx.store.mu.Unlock, nil
}

func (tx *Tx) end() {
	tx.open = false
	tx.release(tx.changes)
	tx.changes, tx.savepoints = nil, nil
}

// release lets others write the ids of those changes.
func (tx *Tx) release(changes []change) {
	for _, c := range changes {
		if c.row != nil {
			delete(tx.store.writing, c.row.event.ID)
		}
		if c.entry != nil {
			delete(tx.store.ledger.recording, c.entry.key)
		}
	}
	close(tx.released)
	tx.released = make(chan struct{})
}

// Put sets a value in the transaction. It stands for the business change that
// an event is about.
func (tx *Tx) Put(key, value string) error {
	unlock, err := tx.lock()
	if err != nil {
		return err
	}
	defer unlock()
	tx.changes = append(tx.changes, change{key: key, value: value})
	return nil
}

// Get returns a committed value.
func (s *Store) Get(ctx context.Context, key string) (value string, found bool, err error) {
	if err := s.lock(ctx); err != nil {
		return "", false, err
	}
	defer s.mu.Unlock()
	value, found = s.business[key]
	return value, found, nil
}
