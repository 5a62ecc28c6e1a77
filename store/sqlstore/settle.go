package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// SettleStep is one statement of a settle. The steps of a dialect run in their
// order, in one transaction; one that has nothing to do is not sent. A step
// takes event ids, seqs, claim numbers, kinds, attempts, delays in
// microseconds, errors and failures as its batch, then the owner, and returns
// the names of the claims that it ended.
type SettleStep struct {
	Kinds []driver.OutcomeKind
	Query func(*Queries) Query
	// Silent says that the statement returns nothing.
	Silent bool
}

// Settle implements [driver.Store].
func (s *Store) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) (stale []driver.Held, err error) {
	if len(outcomes) == 0 {
		return nil, nil
	}
	seen := make(heldSet, len(outcomes))
	var sent, repeated []driver.Held
	first := make([]driver.Outcome, 0, len(outcomes))
	for _, o := range outcomes {
		if o.Kind < driver.Done || o.Kind > driver.Release {
			return nil, fmt.Errorf("outbox: settle: event %s has an outcome of unknown kind %d", o.EventID, o.Kind)
		}
		if seen[o.Held] { // the first one counts, and then the claim is over
			repeated = append(repeated, o.Held)
			continue
		}
		seen[o.Held] = true
		sent = append(sent, o.Held)
		first = append(first, o)
	}
	var ended, locked heldSet
	err = s.do(ctx, call{what: "settle", timeout: s.config.StatementTimeout,
		work: func(ctx context.Context, session *Session) (err error) {
			ended, err = session.settle(ctx, owner, first, keepDone)
			return err
		},
		around: func(ctx context.Context, session *Session) (err error) {
			locked, err = session.around(ctx, owner, sent, func(free heldSet) error {
				ended, err = session.settle(ctx, owner, slices.DeleteFunc(slices.Clone(first), func(o driver.Outcome) bool { return !free[o.Held] }), keepDone)
				return err
			})
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	return locked.answer(sent, append(ended.missing(sent), repeated...))
}

// settle applies outcomes, and returns the claims that it ended.
func (s *Session) settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) (ended heldSet, err error) {
	byKind := map[driver.OutcomeKind][]driver.Outcome{}
	for _, o := range outcomes {
		byKind[o.Kind] = append(byKind[o.Kind], o)
	}
	done := s.Queries.DoneDelete
	if keepDone {
		done = s.Queries.Done
	}
	ended = make(heldSet, len(outcomes))
	if delivered := byKind[driver.Done]; len(delivered) > 0 {
		if err := ended.change(ctx, s, done, heldBatch(heldOf(delivered)), string(owner)); err != nil {
			return nil, err
		}
	}
	for _, step := range s.Dialect.Settle {
		if err := step.apply(ctx, s, owner, byKind, ended); err != nil {
			return nil, err
		}
	}
	return ended, nil
}

func (step SettleStep) apply(ctx context.Context, s *Session, owner driver.Owner, byKind map[driver.OutcomeKind][]driver.Outcome, ended heldSet) error {
	var outcomes []driver.Outcome
	for _, kind := range step.Kinds {
		outcomes = append(outcomes, byKind[kind]...)
	}
	if len(outcomes) == 0 {
		return nil
	}
	batch, q := outcomeBatch(s.Dialect, outcomes), step.Query(s.Queries)
	if step.Silent {
		_, err := s.Exec(ctx, q, batch, string(owner))
		return err
	}
	return ended.change(ctx, s, q, batch, string(owner))
}

func outcomeBatch(d *Dialect, outcomes []driver.Outcome) Batch {
	b := newBatch(8, len(outcomes))
	inOrder := func(a, b driver.Outcome) int { return bySeq(a.Held, b.Held) }
	for _, o := range slices.SortedFunc(slices.Values(outcomes), inOrder) {
		b.add(o.EventID, o.Seq, o.ClaimNo, int64(o.Kind), int64(o.Attempts), d.micros(max(o.Delay, 0)),
			driver.CleanText(o.Error, driver.MaxErrorLength), failuresOrNull(o.Failures))
	}
	return b
}

func failuresOrNull(list json.RawMessage) any { return textOrNull(string(list)) }

func heldOf(outcomes []driver.Outcome) []driver.Held {
	hs := make([]driver.Held, len(outcomes))
	for i, o := range outcomes {
		hs[i] = o.Held
	}
	return hs
}
