package hazelcaststore

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Insert implements [outbox.TxStore]. If another open Tx has written one of the
// ids, it waits until that one ends. After an error the events of this call are
// not part of tx, which can go on.
func (s *Store) Insert(ctx context.Context, tx *Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	if tx == nil {
		return nil, fmt.Errorf("%w: it is nil", outbox.ErrNoTransaction)
	}
	tx.mu.Lock()
	defer tx.mu.Unlock()
	switch {
	case !tx.open:
		return nil, fmt.Errorf("%w: it was committed or rolled back before", outbox.ErrNoTransaction)
	case tx.store != s:
		return nil, fmt.Errorf("%w: it belongs to another store", outbox.ErrNoTransaction)
	}
	answers := make([]outbox.Inserted, len(req.Events))
	err := s.call(ctx, func(ctx context.Context, m *tables) error {
		rows, known := make([]*row, len(req.Events)), map[string]bool{}
		for i, e := range req.Events {
			if !known[e.ID] {
				rows[i] = s.newRow(tx, e, req.HeadStart)
			} else if !req.IfAbsent {
				return driver.DuplicateID(req.Events[i:i+1], "", nil)
			}
			known[e.ID] = true
		}
		staged, err := s.stage(ctx, m, tx, rows, req.IfAbsent)
		if err == nil && req.IfAbsent {
			err = s.withoutDead(ctx, m, rows, staged)
		} else if err == nil {
			err = duplicate(req.Events, staged)
		}
		if err != nil {
			return s.unstage(rows, staged, err)
		}
		for i, ok := range staged {
			if ok {
				tx.staged = append(tx.staged, rows[i])
				answers[i] = outbox.Inserted{Seq: rows[i].Seq, TopLevel: true}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// withoutDead takes back the rows of ids that have a dead letter. A row that dies
// leaves its letter before it goes, so this look comes after the write.
func (s *Store) withoutDead(ctx context.Context, m *tables, rows []*row, staged []bool) error {
	byID, ids := map[string]int{}, []string{}
	for i, ok := range staged {
		if ok {
			byID[rows[i].ID], ids = i, append(ids, rows[i].ID)
		}
	}
	letters, err := s.lettersOf(ctx, m, ids)
	if err != nil {
		return err
	}
	for _, l := range letters {
		if i := byID[l.ID]; staged[i] {
			if _, err := s.remove(ctx, m.events, rows[i]); err != nil {
				return err
			}
			staged[i] = false
		}
	}
	return nil
}

func (s *Store) newRow(tx *Tx, e outbox.Event, headStart time.Duration) *row {
	now := s.clock.tick()
	r := &row{entry: entry{
		Status: statusOpen, Tx: tx.id, Mend: at(now + micros(s.cfg.OpenLimit) + micros(s.mendAfter())),
		Due: at(now), Seq: seq(now), Created: now, ID: e.ID, Type: e.Type, Record: newRecord(e),
	}}
	if e.DeliverAfter > 0 {
		r.Due = at(now + micros(e.DeliverAfter))
	} else if !e.AvailableAt.IsZero() {
		r.Due = at(e.AvailableAt.UnixMicro())
	}
	if headStart > 0 {
		r.Until = now + micros(headStart)
	}
	r.raw = encode(r.entry)
	return r
}
