package pgxstore

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
)

// placedFrom is how many deliveries are worth a round trip more, to find their
// rows by place and then ask by name for those that are not there.
const placedFrom = 50

// Settle implements [driver.Store]. Deliveries, which are nearly all there is
// to settle, are one statement with an array for each part of their names;
// whatever else there is becomes a second one in the same round trip.
func (s *Store) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) (stale []driver.Held, err error) {
	if len(outcomes) == 0 {
		return nil, nil
	}
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
	others := func(b *pgx.Batch, rest []driver.Outcome) {
		if len(rest) > 0 {
			b.Queue(s.queries.SettleRest.SQL, restArguments(owner, rest)...).Query(ended.read)
		}
	}
	locked := lockedRows{store: s, owner: owner, sent: func() names { return sent.names() }}
	c := s.heldCall("settle", locked.find, func(b *pgx.Batch) {
		ended.clear()
		done, rest := sent.only(locked.free.found())
		delivered(b, byName, done)
		others(b, rest)
		locked.name(b)
	})
	if sent.placed >= placedFrom && s.mayPlace() {
		err = s.run(ctx, c, func(b *pgx.Batch) {
			ended.clear()
			delivered(b, byPlace, sent.done, places(sent.places))
		}, func(b *pgx.Batch) {
			delivered(b, byName, namesOf(ended.missing(&sent.done)))
			others(b, sent.rest)
		})
	} else {
		err = s.run(ctx, c, func(b *pgx.Batch) {
			ended.clear()
			delivered(b, byName, sent.done)
			others(b, sent.rest)
		})
	}
	if err != nil {
		return nil, err
	}
	return locked.answer(append(ended.missing(sent.all()), sent.repeated...))
}
