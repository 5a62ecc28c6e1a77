package hazelcaststore

import (
	"context"
	"slices"

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

// bulk answers for every key, in the caller's order. With latest, f is called only
// for the latest letter of an id. It is not one transaction: after an error some
// letters are changed and others are not.
func (s *Store) bulk(ctx context.Context, keys []driver.DeadKey, latest bool, f func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error)) ([]driver.DeadResult, error) {
	byID, ids := map[string][]driver.DeadKey{}, []string{}
	for _, k := range keys {
		if byID[k.EventID] == nil {
			ids = append(ids, k.EventID)
		}
		byID[k.EventID] = append(byID[k.EventID], k)
	}
	done := make([]map[int64]driver.DeadStatus, len(ids))
	err := s.call(ctx, func(ctx context.Context, m *tables) error {
		return each(len(ids), func(n int) (err error) {
			done[n], err = s.bulkOne(ctx, m, byID[ids[n]], latest, f)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	answers := make(map[string]map[int64]driver.DeadStatus, len(ids))
	for n, id := range ids {
		answers[id] = done[n]
	}
	results := make([]driver.DeadResult, len(keys))
	for i, k := range keys {
		results[i] = driver.DeadResult{ID: k.EventID, Status: driver.DeadNotFound}
		for seq, status := range answers[k.EventID] {
			switch {
			case k.Seq == 0 || k.Seq == seq:
				results[i].Status = status
			case latest && k.Seq < seq: // the later one goes back
				results[i].Status = driver.DeadConflict
			}
		}
	}
	return results, nil
}

// bulkOne applies f to the letters that keys of one id fit, or only to the latest,
// and returns the answers by seq.
func (s *Store) bulkOne(ctx context.Context, m *tables, keys []driver.DeadKey, latest bool, f func(ctx context.Context, m *tables, l *letter) (driver.DeadStatus, error)) (map[int64]driver.DeadStatus, error) {
	done := map[int64]driver.DeadStatus{}
again:
	letters, err := s.lettersOf(ctx, m, []string{keys[0].EventID})
	if err != nil {
		return nil, err
	}
	for _, l := range letters {
		fits := func(k driver.DeadKey) bool { return (k.Seq == 0 || k.Seq == l.Seq) && (!k.Open || l.Resolved == nil) }
		if done[l.Seq] != "" || !slices.ContainsFunc(keys, fits) {
			continue
		}
		status, err := f(ctx, m, l)
		if err != nil {
			return nil, err
		}
		if status == "" {
			goto again
		}
		if done[l.Seq] = status; latest {
			break
		}
	}
	return done, nil
}
