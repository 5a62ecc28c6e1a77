package hazelcaststore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/membererr"
)

// Tx collects events that become visible together. It is not a transaction of
// the cluster, of which the client has none: what the application does with its
// own maps meanwhile is no part of it.
//
// Insert writes each event as an entry that no relay sees. Commit makes them
// visible, first by one decision for all of them, then entry by entry: if the
// process dies between, another finishes it. Rollback deletes them, and so does
// anybody once the Tx has been open for longer than [Config.OpenLimit].
//
// A Tx is for one goroutine at a time.
type Tx struct {
	store *Store
	id    string
	began time.Time

	mu     sync.Mutex
	open   bool
	staged []*row
}

// decision is what became of a Tx, under its id in a map of its own. Whoever
// puts it first decides.
type decision struct {
	Commit bool     `json:"commit"`
	IDs    []string `json:"ids,omitempty"`
	Mend   int64    `json:"mend"`
}

// abortsKept is how long a decision to abort is kept: until no Commit can come
// any more, however long its call was held back.
func (s *Store) abortsKept() time.Duration { return time.Hour + 2*s.cfg.OpenLimit }

// Begin implements [outbox.TxStore].
func (s *Store) Begin(ctx context.Context) (_ *Tx, commit, rollback func() error, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, err
	}
	tx := &Tx{store: s, id: outbox.NewID(), began: time.Now(), open: true}
	return tx, tx.Commit, tx.Rollback, nil
}

// CommitError implements [outbox.TxStore]. Commit itself says what is unknown.
func (s *Store) CommitError(err error) error { return err }

// end closes the Tx and returns what it has written.
func (tx *Tx) end() ([]*row, error) {
	if tx == nil {
		return nil, fmt.Errorf("%w: it is nil", outbox.ErrNoTransaction)
	}
	tx.mu.Lock()
	defer tx.mu.Unlock()
	if !tx.open {
		return nil, fmt.Errorf("%w: it was committed or rolled back before", outbox.ErrNoTransaction)
	}
	tx.open = false
	return tx.staged, nil
}

// wrote reports whether an entry is part of the Tx.
func (tx *Tx) wrote(r *row) bool {
	return r.Tx == tx.id && slices.ContainsFunc(tx.staged, func(s *row) bool { return s.Seq == r.Seq })
}

// Commit makes the events visible.
func (tx *Tx) Commit() error {
	staged, err := tx.end()
	if err != nil || len(staged) == 0 {
		return err
	}
	s := tx.store
	if tx.age() > s.cfg.OpenLimit {
		_ = s.afterwards(func(ctx context.Context, m *tables) error { return s.discard(ctx, m, staged) })
		return tx.tooLate()
	}
	return s.afterwards(func(ctx context.Context, m *tables) error {
		if len(staged) == 1 {
			return tx.decided(s.revealOnly(ctx, m, staged[0]))
		}
		d := decision{Commit: true, Mend: s.clock.now() + micros(s.mendAfter())}
		for _, r := range staged {
			d.IDs = append(d.IDs, r.ID)
		}
		raw := encode(d)
		before, err := m.txs.putIfAbsent(ctx, tx.id, raw, 0)
		if err == nil && tx.age() > s.abortsKept()/2 { // a decision to abort may have been forgotten
			err = errTooLate
		}
		if err := tx.decided(before == nil, err); err != nil {
			return err
		}
		// From here on the events are committed, whoever makes them visible.
		gone, err := s.revealAll(ctx, m, staged)
		if err == nil {
			_, _ = m.txs.remove(ctx, tx.id, raw)
		}
		if gone {
			return tx.decided(false, errGone)
		}
		return nil
	})
}

// age is how long the Tx has been open. The monotonic clock stands still while
// the machine is suspended.
func (tx *Tx) age() time.Duration {
	now := time.Now()
	return max(now.Sub(tx.began), now.Round(0).Sub(tx.began.Round(0)))
}

// decided is the error of the call that decides.
func (tx *Tx) decided(ok bool, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("%w: hazelcaststore: %w", outbox.ErrCommitUnknown, membererr.Brief(err))
	case !ok:
		return tx.tooLate()
	}
	return nil
}

var (
	errTooLate = errors.New("hazelcaststore: the Tx was open for longer than OpenLimit")
	errGone    = errors.New("entries of the Tx are gone: they were delivered, or the cluster has lost its memory")
)

func (tx *Tx) tooLate() error {
	return fmt.Errorf("%w, %s, and its events were discarded: write them at the end of what you do, or raise OpenLimit", errTooLate, tx.store.cfg.OpenLimit)
}

// Rollback discards the events. If the cluster is unavailable, that happens
// later.
func (tx *Tx) Rollback() error {
	staged, err := tx.end()
	if err != nil || len(staged) == 0 {
		return err
	}
	return tx.store.afterwards(func(ctx context.Context, m *tables) error { return tx.store.discard(ctx, m, staged) })
}
