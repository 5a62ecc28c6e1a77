package memstore

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Insert implements [outbox.TxStore]. If another open transaction has written
// one of the ids, it waits until that one ends, as a database does. After an
// error the events of this call are not part of tx, which can go on.
func (s *Store) Insert(ctx context.Context, tx *Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		answers, released, err := s.tryInsert(tx, req)
		if released == nil {
			return answers, err
		}
		select {
		case <-released:
		case <-ctx.Done():
		}
	}
}

// tryInsert inserts, or returns what to wait for before the next try.
func (s *Store) tryInsert(tx *Tx, req outbox.InsertRequest) (_ []outbox.Inserted, released <-chan struct{}, err error) {
	unlock, err := tx.lock()
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	if tx.store != s {
		return nil, nil, fmt.Errorf("%w: it belongs to another store", outbox.ErrNoTransaction)
	}
	if other := s.otherWriter(tx, req.Events); other != nil {
		return nil, other.released, nil
	}
	answers, err := s.insert(tx, req)
	return answers, nil, err
}

// otherWriter returns an open transaction that has written one of the ids, or
// nil.
func (s *Store) otherWriter(tx *Tx, es []outbox.Event) *Tx {
	for _, e := range es {
		if other := s.writing[e.ID]; other != nil && other != tx {
			return other
		}
	}
	return nil
}

func (s *Store) insert(tx *Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	now := s.now()
	answers := make([]outbox.Inserted, len(req.Events))
	var rows []*row
	fresh := map[string]bool{}
	for i, e := range req.Events {
		if exists := s.rows[e.ID] != nil || s.writing[e.ID] != nil || fresh[e.ID]; exists && !req.IfAbsent {
			return nil, driver.DuplicateID(req.Events[i:i+1], "", nil)
		} else if exists || (req.IfAbsent && s.letterOf(e.ID) != nil) {
			continue
		}
		fresh[e.ID] = true
		r := newRow(e, s.nextSeq(), now, req.HeadStart)
		rows = append(rows, r)
		answers[i] = outbox.Inserted{Seq: r.seq, TopLevel: len(tx.savepoints) == 0}
	}
	for _, r := range rows {
		s.writing[r.event.ID] = tx
		tx.changes = append(tx.changes, change{row: r})
	}
	return answers, nil
}

func newRow(e outbox.Event, seq int64, now time.Time, headStart time.Duration) *row {
	r := &row{event: e.Clone(), seq: seq, createdAt: now, availableAt: now}
	if e.DeliverAfter > 0 {
		r.availableAt = now.Add(e.DeliverAfter)
	} else if !e.AvailableAt.IsZero() {
		r.availableAt = e.AvailableAt.Round(0).UTC().Truncate(time.Microsecond)
	}
	// From here on the row says when it is due, and a retry may change it.
	r.event.AvailableAt, r.event.DeliverAfter = time.Time{}, 0
	if headStart > 0 {
		r.lockedUntil = now.Add(headStart)
	}
	return r
}
