package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// SettleStep is one statement of a settle. The steps of a dialect run in order,
// in one transaction; one that has nothing to do is not sent. A step takes
// event ids, seqs, claim numbers, kinds, attempts, delays in microseconds,
// errors and failures as its batch, then the owner, and returns the names of
// the claims that it ended.
type SettleStep struct {
	Kinds []driver.OutcomeKind
	Query func(*Queries) Query
	// Silent says that the statement returns nothing.
	Silent bool
}

// Settle implements [driver.Store].
func (s *Engine) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) (stale []driver.Held, err error) {
	for _, o := range outcomes {
		if o.Kind < driver.Done || o.Kind > driver.Release {
			return nil, fmt.Errorf("outbox: settle: event %s has an outcome of unknown kind %d", o.EventID, o.Kind)
		}
	}
	first, again := eachOnce(outcomes)
	return s.settle(ctx, owner, outcomes, keepDone, func(ctx context.Context, session *Session) ([]driver.Held, error) {
		ended, err := session.settle(ctx, owner, first, keepDone)
		return append(ended.missing(heldOf(first)), again...), err
	})
}

// eachOnce keeps the first outcome of each claim, which ends the claim, and
// leaves out later ones.
func eachOnce(outcomes []driver.Outcome) (first []driver.Outcome, again []driver.Held) {
	seen := make(heldSet, len(outcomes))
	first = make([]driver.Outcome, 0, len(outcomes))
	for _, o := range outcomes {
		if seen[o.Held] {
			again = append(again, o.Held)
			continue
		}
		seen[o.Held] = true
		first = append(first, o)
	}
	return first, again
}

// settle applies outcomes with a function that returns the stale ones.
func (s *Engine) settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool, all func(context.Context, *Session) ([]driver.Held, error)) ([]driver.Held, error) {
	if len(outcomes) == 0 {
		return nil, nil
	}
	var first []driver.Outcome
	return s.runHeld(ctx, heldCall{
		what: "settle", owner: owner, all: all,
		sent: func() (claims, again []driver.Held) {
			first, again = eachOnce(outcomes)
			return heldOf(first), again
		},
		some: func(ctx context.Context, session *Session, free heldSet) (heldSet, error) {
			return session.settle(ctx, owner, slices.DeleteFunc(slices.Clone(first), func(o driver.Outcome) bool { return !free[o.Held] }), keepDone)
		},
	})
}

// settle applies outcomes, and returns the claims it ended.
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
		b.add(o.EventID, o.Seq, o.ClaimNo, int64(o.Kind), stored.AtMost(max(o.Attempts, 0)), d.micros(max(o.Delay, 0)),
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
