package pgxstore

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/sendoff-go/outbox"
)

// Settle implements [outbox.Store]. Deliveries, which are nearly all there is
// to settle, are one statement with three arrays; whatever else there is
// becomes a second one in the same round trip.
func (s *Store) Settle(ctx context.Context, owner outbox.Owner, outcomes []outbox.Outcome, keepDone bool) (stale []outbox.Held, err error) {
	if len(outcomes) == 0 {
		return nil, nil
	}
	sent, rest, repeated, err := sortOut(outcomes)
	if err != nil {
		return nil, err
	}
	done := s.queries.DoneDelete.SQL
	if keepDone {
		done = s.queries.Done.SQL
	}
	ended := newAnswer(len(sent.ids))
	err = s.run(ctx, s.relayCall("settle"), func(b *pgx.Batch) {
		ended.clear()
		if n := len(sent.ids) - len(rest); n > 0 {
			b.Queue(done, s.encode.texts(sent.ids[:n]), s.encode.numbers(sent.seqs[:n]), s.encode.numbers(sent.numbers[:n]),
				string(owner)).Query(ended.read)
		}
		if len(rest) > 0 {
			b.Queue(s.queries.SettleRest.SQL, restArguments(owner, rest)...).Query(ended.read)
		}
	})
	if err != nil {
		return nil, err
	}
	return append(ended.missing(&sent), repeated...), nil
}

// sortOut names the deliveries first and then the rest. Where there is a rest,
// it leaves out repetitions of a claim, since one row must not have two
// outcomes in one transaction: the first one counts, and then the claim is
// over. A delivery repeated among deliveries is harmless.
func sortOut(outcomes []outbox.Outcome) (sent names, rest []outbox.Outcome, repeated []outbox.Held, err error) {
	mixed := false
	for i := range outcomes {
		o := &outcomes[i]
		if o.Kind < outbox.Done || o.Kind > outbox.Release {
			return names{}, nil, nil, fmt.Errorf("outbox: settle: event %s has an outcome of unknown kind %d", o.EventID, o.Kind)
		}
		mixed = mixed || o.Kind != outbox.Done
	}
	sent = newNames(len(outcomes))
	if !mixed {
		for i := range outcomes {
			sent.add(outcomes[i].Held)
		}
		return sent, nil, nil, nil
	}
	seen := make(map[outbox.Held]bool, len(outcomes))
	for i := range outcomes {
		o := &outcomes[i]
		switch {
		case seen[o.Held]:
			repeated = append(repeated, o.Held)
		case o.Kind == outbox.Done:
			sent.add(o.Held)
		default:
			rest = append(rest, *o)
		}
		seen[o.Held] = true
	}
	// Those who lock in one order do not wait for each other in a circle.
	slices.SortFunc(rest, func(a, b outbox.Outcome) int { return cmp.Compare(a.Seq, b.Seq) })
	for i := range rest {
		sent.add(rest[i].Held)
	}
	return sent, rest, repeated, nil
}

func restArguments(owner outbox.Owner, rest []outbox.Outcome) []any {
	n := len(rest)
	held := newNames(n)
	kinds, attempts := make([]int32, n), make([]int32, n)
	delays, reasons, failures := make([]int64, n), make([]string, n), make([]pgtype.Text, n)
	for i := range rest {
		o := &rest[i]
		held.add(o.Held)
		kinds[i] = int32(o.Kind)
		attempts[i] = int32(min(max(o.Attempts, 0), math.MaxInt32))
		delays[i] = micros(max(o.Delay, 0))
		reasons[i] = outbox.CleanText(o.Error, outbox.MaxErrorLength)
		failures[i] = textOrNull(string(o.Failures))
	}
	return []any{held.ids, held.seqs, held.numbers, kinds, attempts, delays, reasons, failures, string(owner)}
}

// textOrNull: what is empty in Go is absent in the database.
func textOrNull(s string) pgtype.Text { return pgtype.Text{String: s, Valid: s != ""} }
