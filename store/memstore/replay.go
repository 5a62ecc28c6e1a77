package memstore

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// ReplayDead implements [driver.DeadLetterStore]. The row has a new seq and a
// number above the letter's, so no outcome from before its death fits it.
func (s *Store) ReplayDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.bulkDead(ctx, driver.AuditRetry, keys, func(results []driver.DeadResult) {
		latest := map[string]*letter{}
		for _, k := range keys {
			if l := s.latestOf(k); l != nil && (latest[k.EventID] == nil || latest[k.EventID].Seq < l.Seq) {
				latest[k.EventID] = l
			}
		}
		bySeq := func(a, b *letter) int { return cmp.Compare(a.Seq, b.Seq) }
		status := map[*letter]driver.DeadStatus{}
		for _, l := range slices.SortedFunc(maps.Values(latest), bySeq) {
			status[l] = s.goBack(l)
		}
		for i, k := range keys {
			switch l := latest[k.EventID]; {
			case l == nil:
			case k.Seq == 0 || k.Seq == l.Seq:
				results[i].Status = status[l]
			case k.Seq < l.Seq: // the later one goes back
				results[i].Status = driver.DeadConflict
			}
		}
	})
}

// goBack moves a letter, unless an event of its id is there already.
func (s *Store) goBack(l *letter) driver.DeadStatus {
	id := l.Event.ID
	if s.rows[id] != nil || s.writing[id] != nil {
		return driver.DeadConflict
	}
	s.put(&row{
		event:       l.Event,
		seq:         s.nextSeq(),
		claimNo:     l.ClaimNo + 1,
		availableAt: s.now(),
		createdAt:   l.CreatedAt,
		failures:    earlier(l),
	})
	s.dead = slices.DeleteFunc(s.dead, func(d *letter) bool { return d == l })
	return driver.DeadApplied
}

// earlier is what stays of a letter's history.
func earlier(l *letter) json.RawMessage {
	if l.Delivered() == driver.DeliveredMaybe {
		return json.RawMessage(driver.EarlierFailures)
	}
	return nil
}

// EditDead implements [driver.DeadLetterStore].
func (s *Store) EditDead(ctx context.Context, key driver.DeadKey, e driver.DeadEdit) (driver.DeadResult, error) {
	if _, err := driver.EncodeHeaders(e.Headers); err != nil {
		return driver.DeadResult{}, err
	}
	key.Open = true
	results, err := s.eachDead(ctx, driver.AuditEdit, []driver.DeadKey{key}, func(l *letter) driver.DeadStatus {
		id := l.Event.ID
		if s.rows[id] != nil || s.writing[id] != nil {
			return driver.DeadConflict
		}
		edited := l.Event.Clone()
		edited.JSON, edited.Bytes, edited.Headers = slices.Clone(e.JSON), slices.Clone(e.Bytes), maps.Clone(e.Headers)
		s.put(&row{event: edited, seq: s.nextSeq(), claimNo: l.ClaimNo + 1, availableAt: s.now(), createdAt: l.CreatedAt, failures: earlier(l)})
		l.ResolvedAt = s.now()
		return driver.DeadApplied
	})
	if err != nil {
		return driver.DeadResult{}, err
	}
	return results[0], nil
}

// ResolveDead implements [driver.DeadLetterStore].
func (s *Store) ResolveDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, driver.AuditResolve, keys, func(l *letter) driver.DeadStatus {
		if !l.resolved() {
			l.ResolvedAt = s.now()
		}
		return driver.DeadApplied
	})
}

// NoteDead implements [driver.DeadLetterStore].
func (s *Store) NoteDead(ctx context.Context, keys []driver.DeadKey, note string) ([]driver.DeadResult, error) {
	act, _ := driver.ActOf(ctx)
	return s.eachDead(ctx, driver.AuditNote, keys, func(l *letter) driver.DeadStatus {
		l.Note, l.NotedBy, l.NotedAt = driver.CleanText(note, driver.MaxErrorLength), act.By, s.now()
		return driver.DeadApplied
	})
}

// DeleteDead implements [driver.DeadLetterStore].
func (s *Store) DeleteDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, driver.AuditDelete, keys, func(l *letter) driver.DeadStatus {
		s.dead = slices.DeleteFunc(s.dead, func(d *letter) bool { return d == l })
		return driver.DeadApplied
	})
}

// eachDead does something to each letter that a key fits, and answers for every key,
// in the caller's order.
func (s *Store) eachDead(ctx context.Context, action driver.AuditAction, keys []driver.DeadKey, f func(*letter) driver.DeadStatus) ([]driver.DeadResult, error) {
	return s.bulkDead(ctx, action, keys, func(results []driver.DeadResult) {
		found := make([][]*letter, len(keys)) // before anything changes
		for i, k := range keys {
			found[i] = s.lettersOf(k)
		}
		status := map[*letter]driver.DeadStatus{}
		for i := range keys {
			for _, l := range found[i] {
				if _, done := status[l]; !done {
					status[l] = f(l)
				}
				results[i].Status = status[l]
			}
		}
	})
}

// bulkDead makes a bulk call, which changes the results of keys that it finds.
func (s *Store) bulkDead(ctx context.Context, action driver.AuditAction, keys []driver.DeadKey, f func(results []driver.DeadResult)) ([]driver.DeadResult, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if err := s.mayStep(ctx); err != nil {
		return nil, err
	}
	results := make([]driver.DeadResult, len(keys))
	for i, k := range keys {
		results[i] = driver.DeadResult{ID: k.EventID, Status: driver.DeadNotFound}
	}
	f(results)
	s.close(ctx, action, results)
	return results, nil
}

// close ends a bulk call: it audits who made it, and records the job step that it
// may be.
func (s *Store) close(ctx context.Context, action driver.AuditAction, results []driver.DeadResult) {
	changed := driver.Changed(results)
	step, steps := driver.StepOf(ctx)
	if a, ok := driver.ActOf(ctx); ok && len(changed) > 0 {
		s.audit(a, action, step.ID, changed)
	}
	if action == driver.AuditErase && len(changed) > 0 {
		s.blankGroups()
	}
	if steps {
		step.Count(results)
		s.step(step)
	}
}

// lettersOf returns the letters that a key fits, the latest first.
func (s *Store) lettersOf(k driver.DeadKey) (found []*letter) {
	for _, l := range slices.Backward(s.dead) {
		if l.Event.ID == k.EventID && (k.Seq == 0 || k.Seq == l.Seq) && (!k.Open || !l.resolved()) {
			found = append(found, l)
		}
	}
	return found
}

// latestOf returns the latest letter that a key fits and that can be delivered; of
// one that was erased nothing is left.
func (s *Store) latestOf(k driver.DeadKey) *letter {
	for _, l := range s.lettersOf(k) {
		if l.Event.Headers[driver.Erased] == "" {
			return l
		}
	}
	return nil
}
