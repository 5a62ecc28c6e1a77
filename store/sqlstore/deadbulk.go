package sqlstore

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// ReplayDead implements [driver.DeadLetterStore].
func (s *Engine) ReplayDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "replay dead letters", driver.AuditRetry, keys, s.dialect.Replay)
}

// ResolveDead implements [driver.DeadLetterStore].
func (s *Engine) ResolveDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "resolve dead letters", driver.AuditResolve, keys, s.applied(s.queries.DeadResolve))
}

// DeleteDead implements [driver.DeadLetterStore].
func (s *Engine) DeleteDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	return s.eachDead(ctx, "delete dead letters", driver.AuditDelete, keys, s.applied(s.queries.DeadDelete))
}

// NoteDead implements [driver.DeadLetterStore].
func (s *Engine) NoteDead(ctx context.Context, keys []driver.DeadKey, note string) ([]driver.DeadResult, error) {
	act, _ := driver.ActOf(ctx)
	do := s.applied(s.queries.DeadNote, textOrNull(driver.CleanText(note, driver.MaxErrorLength)), driver.CleanText(act.By, maxActor))
	return s.eachDead(ctx, "note dead letters", driver.AuditNote, keys, do)
}

// Grave is one letter that a bulk call found.
type Grave struct {
	EventID string
	Seq     int64
	Status  driver.DeadStatus
}

type bulk func(ctx context.Context, session *Session, keys []driver.DeadKey) ([]Grave, error)

// applied is a bulk call whose statement returns the letters it changed.
func (s *Engine) applied(q Query, args ...any) bulk {
	return func(ctx context.Context, session *Session, keys []driver.DeadKey) ([]Grave, error) {
		return changing(ctx, session, q, scanGrave, keyBatch(keys), args...)
	}
}

func scanGrave(rows Rows) (g Grave, err error) {
	g.Status = driver.DeadApplied
	return g, rows.Scan(&g.EventID, &g.Seq)
}

// eachDead answers for every key, in the caller's order.
func (s *Engine) eachDead(ctx context.Context, what string, action driver.AuditAction, keys []driver.DeadKey, do bulk) ([]driver.DeadResult, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var results []driver.DeadResult
	c := s.personCall(what, func(ctx context.Context, session *Session) error {
		graves, err := do(ctx, session, keys)
		if err != nil {
			return err
		}
		results = resultsOf(graves, keys, action)
		return session.close(ctx, action, results)
	})
	_, audited := driver.ActOf(ctx)
	if _, steps := driver.StepOf(ctx); !audited && !steps && action != driver.AuditErase {
		c = c.single()
	}
	if err := s.run(ctx, c); err != nil {
		return nil, err
	}
	return results, nil
}

func resultsOf(graves []Grave, keys []driver.DeadKey, action driver.AuditAction) []driver.DeadResult {
	byID := make(map[string][]Grave, len(graves))
	for _, g := range graves {
		byID[g.EventID] = append(byID[g.EventID], g)
	}
	results := make([]driver.DeadResult, len(keys))
	for i, k := range keys {
		results[i] = driver.DeadResult{ID: k.EventID, Status: driver.DeadNotFound}
		for _, g := range byID[k.EventID] {
			switch {
			case k.Seq == 0 || k.Seq == g.Seq:
				results[i].Status = g.Status
			case action == driver.AuditRetry && k.Seq < g.Seq: // the later one goes back
				results[i].Status = driver.DeadConflict
			}
		}
	}
	return results
}

// close ends a bulk call, in its transaction: it audits who made it, removes what
// groups may say of erased letters, and records the job step that it may be.
func (s *Session) close(ctx context.Context, action driver.AuditAction, results []driver.DeadResult) error {
	act, audited := driver.ActOf(ctx)
	step, steps := driver.StepOf(ctx)
	changed := driver.Changed(results)
	if audited && len(changed) > 0 {
		if err := s.audit(ctx, act, action, step.ID, changed); err != nil {
			return err
		}
	}
	if action == driver.AuditErase && len(changed) > 0 {
		if _, err := s.Exec(ctx, s.Queries.GroupBlank, nil); err != nil {
			return err
		}
	}
	if steps {
		return s.step(ctx, step, results)
	}
	return nil
}

// keyBatch has the id, the seq or 0, and 1 if the letter must be open.
func keyBatch(keys []driver.DeadKey) Batch {
	b := newBatch(3, len(keys))
	for _, k := range keys {
		open := int64(0)
		if k.Open {
			open = 1
		}
		b.add(k.EventID, k.Seq, open)
	}
	return b
}
