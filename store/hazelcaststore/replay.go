package hazelcaststore

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// ReplayDead implements [driver.DeadLetterStore]. If the process dies in the
// middle, the letter stays, and replaying it again finishes the move; an event
// that was delivered in between is then delivered again.
func (s *Store) ReplayDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.bulk(ctx, keys, true, func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error) {
		status, err := s.moveBack(ctx, m, l, l.Record)
		if status != driver.DeadApplied || err != nil {
			return status, err
		}
		return driver.DeadApplied, s.endMove(ctx, m, l, func(l *letter) (driver.DeadStatus, error) {
			return applied(m.letters.remove(ctx, l.key(), l.raw))
		})
	})
}

// EditDead implements [driver.DeadLetterStore].
func (s *Store) EditDead(ctx context.Context, key driver.DeadKey, e driver.DeadEdit) (driver.DeadResult, error) {
	if _, err := driver.EncodeHeaders(e.Headers); err != nil {
		return driver.DeadResult{}, err
	}
	key.Open = true
	results, err := s.bulk(ctx, []driver.DeadKey{key}, true, func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error) {
		edited := l.dead().Event
		edited.JSON, edited.Bytes, edited.Headers = slices.Clone(e.JSON), slices.Clone(e.Bytes), maps.Clone(e.Headers)
		status, err := s.moveBack(ctx, m, l, newRecord(edited))
		if status != driver.DeadApplied || err != nil {
			return status, err
		}
		return driver.DeadApplied, s.endMove(ctx, m, l, func(l *letter) (driver.DeadStatus, error) {
			next := *l
			next.Moving, next.MovedAt, next.Resolved = 0, 0, at(s.clock.tick())
			return s.changeLetter(ctx, m, l, next)
		})
	})
	if err != nil {
		return driver.DeadResult{}, err
	}
	return results[0], nil
}

// moveBack makes a row of a letter, which the caller then ends. The letter is
// marked first, so that of several replays one goes on: the row could be
// delivered and gone by the time that another looks for it.
func (s *Store) moveBack(ctx context.Context, m *tables, l *letter, record json.RawMessage) (driver.DeadStatus, error) {
	now := s.clock.tick()
	if l.Moving != 0 && l.MovedAt > now-micros(s.mendAfter()) {
		return driver.DeadConflict, nil
	}
	next := *l
	next.MovedAt = now
	if l.Moving == 0 {
		next.Moving = max(seq(now), l.Seq+1)
	}
	if status, err := s.changeLetter(ctx, m, l, next); status != driver.DeadApplied || err != nil {
		return status, err
	}
	e := entry{
		Lane: l.Type, Due: at(now), Status: statusPending, Seq: l.Moving, Claim: l.Claim + 1,
		Created: l.Created, ID: l.ID, Type: l.Type, Record: record,
	}
	if dead := l.dead(); dead.Delivered() == driver.DeliveredMaybe {
		e.Failures = driver.EarlierFailures
	}
	raw, err := m.events.putIfAbsent(ctx, l.ID, encode(e), 0)
	if err != nil || raw == nil {
		return driver.DeadApplied, err
	}
	if other, err := parseRow(raw); err != nil || other.Seq == l.Moving {
		return driver.DeadApplied, err // by an earlier replay that did not end
	}
	return driver.DeadConflict, s.endMove(ctx, m, l, func(l *letter) (driver.DeadStatus, error) {
		next := *l
		next.Moving, next.MovedAt = 0, 0
		return s.changeLetter(ctx, m, l, next)
	})
}

// endMove changes a letter whose move has ended. People may note or resolve it
// meanwhile, so end is repeated with what they made of it; "" from end means
// that they did.
func (s *Store) endMove(ctx context.Context, m *tables, l *letter, end func(*letter) (driver.DeadStatus, error)) error {
	for moving := l.Moving; l.Moving == moving; {
		if status, err := end(l); status != "" || err != nil {
			return err
		}
		raw, err := m.letters.get(ctx, l.key())
		if err != nil || raw == nil {
			return err
		}
		if l, err = parseLetter(raw); err != nil {
			return err
		}
	}
	return nil
}
