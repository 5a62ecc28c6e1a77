package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox"
)

// SettleStep is one statement of a settle. The steps of a dialect run in their
// order, in one transaction; one that has nothing to do is not sent. A step
// takes event ids, seqs, claim numbers, kinds, attempts, delays in
// microseconds, errors and failures as its batch, then the owner, and returns
// the names of the claims that it ended.
type SettleStep struct {
	Kinds []outbox.OutcomeKind
	Query func(*Queries) Query
	// Silent says that the statement returns nothing.
	Silent bool
}

// Settle implements [outbox.Store].
func (s *Store) Settle(ctx context.Context, owner outbox.Owner, outcomes []outbox.Outcome, keepDone bool) (stale []outbox.Held, err error) {
	if len(outcomes) == 0 {
		return nil, nil
	}
	byKind := map[outbox.OutcomeKind][]outbox.Outcome{}
	seen := make(heldSet, len(outcomes))
	var sent, repeated []outbox.Held
	for _, o := range outcomes {
		if o.Kind < outbox.Done || o.Kind > outbox.Release {
			return nil, fmt.Errorf("outbox: settle: event %s has an outcome of unknown kind %d", o.EventID, o.Kind)
		}
		if seen[o.Held] { // the first one counts, and then the claim is over
			repeated = append(repeated, o.Held)
			continue
		}
		seen[o.Held] = true
		sent = append(sent, o.Held)
		byKind[o.Kind] = append(byKind[o.Kind], o)
	}
	done := s.queries.DoneDelete
	if keepDone {
		done = s.queries.Done
	}
	var ended heldSet
	err = s.run(ctx, "settle", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		if err := session.limitWait(ctx); err != nil {
			return err
		}
		ended = make(heldSet, len(sent))
		if delivered := byKind[outbox.Done]; len(delivered) > 0 {
			if err := ended.change(ctx, session, done, heldBatch(heldOf(delivered)), string(owner)); err != nil {
				return err
			}
		}
		for _, step := range s.dialect.Settle {
			if err := step.apply(ctx, session, owner, byKind, ended); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return append(ended.missing(sent), repeated...), nil
}

func (step SettleStep) apply(ctx context.Context, s *Session, owner outbox.Owner, byKind map[outbox.OutcomeKind][]outbox.Outcome, ended heldSet) error {
	var outcomes []outbox.Outcome
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

func outcomeBatch(d *Dialect, outcomes []outbox.Outcome) Batch {
	b := newBatch(8, len(outcomes))
	inOrder := func(a, b outbox.Outcome) int { return bySeq(a.Held, b.Held) }
	for _, o := range slices.SortedFunc(slices.Values(outcomes), inOrder) {
		b.add(o.EventID, o.Seq, o.ClaimNo, int64(o.Kind), int64(o.Attempts), d.micros(max(o.Delay, 0)),
			outbox.CleanText(o.Error, outbox.MaxErrorLength), failuresOrNull(o.Failures))
	}
	return b
}

func failuresOrNull(list json.RawMessage) any { return textOrNull(string(list)) }

func heldOf(outcomes []outbox.Outcome) []outbox.Held {
	hs := make([]outbox.Held, len(outcomes))
	for i, o := range outcomes {
		hs[i] = o.Held
	}
	return hs
}
