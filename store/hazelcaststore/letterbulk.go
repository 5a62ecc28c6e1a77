package hazelcaststore

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// ResolveDead implements [driver.DeadLetterStore].
func (s *Store) ResolveDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.bulk(ctx, keys, false, func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error) {
		if l.Resolved != nil {
			return driver.DeadApplied, nil
		}
		next := *l
		next.Resolved = at(s.clock.tick())
		return s.changeLetter(ctx, m, l, next)
	})
}

// NoteDead implements [driver.DeadLetterStore].
func (s *Store) NoteDead(ctx context.Context, keys []driver.DeadKey, note string) ([]driver.DeadResult, error) {
	act, _ := driver.ActOf(ctx)
	return s.bulk(ctx, keys, false, func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error) {
		next := *l
		next.Note, next.NotedBy, next.NotedAt = driver.CleanText(note, driver.MaxErrorLength), act.By, at(s.clock.tick())
		return s.changeLetter(ctx, m, l, next)
	})
}

// DeleteDead implements [driver.DeadLetterStore].
func (s *Store) DeleteDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.bulk(ctx, keys, false, func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error) {
		return applied(m.letters.remove(ctx, l.key(), l.raw))
	})
}

// applied makes the answer to a change of a letter; "" means that somebody else
// changed it, and that it has to be read again.
func applied(ok bool, err error) (driver.DeadStatus, error) {
	if ok {
		return driver.DeadApplied, err
	}
	return "", err
}

// changeLetter replaces a letter if it is as it was read.
func (s *Store) changeLetter(ctx context.Context, m *tables, l *letter, next letter) (driver.DeadStatus, error) {
	raw := encode(&next)
	ok, err := m.letters.replace(ctx, l.key(), l.raw, raw)
	if ok {
		next.raw = raw
		*l = next
	}
	return applied(ok, err)
}

// bulk answers for every key, in the caller's order. Keys of one id are handled
// one after the other. It is not one transaction: after an error some letters
// are changed and others are not.
func (s *Store) bulk(ctx context.Context, keys []driver.DeadKey, latest bool, f func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error)) ([]driver.DeadResult, error) {
	results := make([]driver.DeadResult, len(keys))
	byID, ids := map[string][]int{}, []string{}
	for i, k := range keys {
		results[i] = driver.DeadResult{ID: k.EventID, Status: driver.DeadNotFound}
		if byID[k.EventID] == nil {
			ids = append(ids, k.EventID)
		}
		byID[k.EventID] = append(byID[k.EventID], i)
	}
	err := s.call(ctx, func(ctx context.Context, m *tables) error {
		return each(len(ids), func(n int) error {
			for _, i := range byID[ids[n]] {
				status, err := s.bulkOne(ctx, m, keys[i], latest, f)
				if err != nil {
					return err
				}
				results[i].Status = status
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// bulkOne applies f to the letters that a key fits, or only to the latest.
func (s *Store) bulkOne(ctx context.Context, m *tables, k driver.DeadKey, latest bool, f func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error)) (driver.DeadStatus, error) {
	status := driver.DeadNotFound
	done := map[int64]bool{}
again:
	letters, err := s.lettersOf(ctx, m, []string{k.EventID})
	if err != nil {
		return "", err
	}
	for _, l := range letters {
		if done[l.Seq] || (k.Seq != 0 && k.Seq != l.Seq) || (k.Open && l.Resolved != nil) {
			continue
		}
		got, err := f(ctx, m, l)
		if err != nil {
			return "", err
		}
		if got == "" {
			goto again
		}
		status, done[l.Seq] = got, true
		if latest {
			break
		}
	}
	return status, nil
}
