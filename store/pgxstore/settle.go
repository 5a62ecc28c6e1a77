package pgxstore

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// placedFrom is how many deliveries are worth one more round trip, to find
// their rows by place and then ask by name for those that have moved.
const placedFrom = 50

// Settle implements [driver.Store]. Deliveries, the vast majority, are one
// statement with an array for each part of their names; everything else becomes
// a second one in the same round trip.
func (s *Store) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) (stale []driver.Held, err error) {
	sent, err := sortOut(outcomes)
	if err != nil {
		return nil, err
	}
	byName, byPlace := s.queries.DoneDelete.SQL, s.queries.DoneDeletePlaced.SQL
	if keepDone {
		byName, byPlace = s.queries.Done.SQL, s.queries.DonePlaced.SQL
	}
	ended := newAnswer(len(outcomes))
	delivered := func(b *pgx.Batch, sql string, n names, more ...any) {
		if len(n.ids) > 0 {
			b.Queue(sql, append(s.fence(n, owner), more...)...).Query(ended.read)
		}
	}
	others := func(b *pgx.Batch) {
		if len(sent.rest) > 0 {
			b.Queue(s.queries.SettleRest.SQL, restArguments(owner, sent.rest)...).Query(ended.read)
		}
	}
	steps := []step{func(b *pgx.Batch) {
		ended.clear()
		delivered(b, byName, sent.done)
		others(b)
	}}
	if sent.placed >= placedFrom && s.mayPlace() {
		steps = []step{func(b *pgx.Batch) {
			ended.clear()
			delivered(b, byPlace, sent.done, places(sent.places))
		}, func(b *pgx.Batch) {
			delivered(b, byName, namesOf(ended.missing(&sent.done)))
			others(b)
		}}
	}
	return s.engine.Settle(ctx, owner, outcomes, keepDone, func(ctx context.Context, tx transport.Querier) ([]driver.Held, error) {
		if err := exchange(ctx, tx, steps...); err != nil {
			return nil, err
		}
		return sent.stale(&ended), nil
	})
}
