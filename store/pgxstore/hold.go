package pgxstore

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
)

// Take implements [driver.Store].
func (s *Store) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	hot := hotNames(rows)
	var taken []driver.Held
	err := s.run(ctx, s.relayCall("take"), func(b *pgx.Batch) {
		b.Queue(s.queries.Take.SQL, hot.ids, hot.seqs, string(owner), micros(lease)).Query(func(rows pgx.Rows) error {
			taken = nil
			return eachRow(rows, func(r *row) {
				taken = append(taken, driver.Held{EventID: r.string(), Seq: r.integer(), ClaimNo: r.integer()})
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// Confirm implements [driver.Store].
func (s *Store) Confirm(ctx context.Context, rows []driver.Held) ([]driver.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	hot := hotNames(rows)
	var there []driver.Held
	err := s.run(ctx, s.relayCall("confirm"), func(b *pgx.Batch) {
		b.Queue(s.queries.Confirm.SQL, hot.ids, hot.seqs).Query(func(rows pgx.Rows) error {
			there = nil
			return eachRow(rows, func(r *row) {
				there = append(there, driver.Held{EventID: r.string(), Seq: r.integer()})
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return there, nil
}

// hotNames has the rows that are held as their writer left them. Others are
// neither taken nor confirmed.
func hotNames(rows []driver.Held) names {
	n := newNames(len(rows))
	for _, h := range rows {
		if h.ClaimNo == 0 {
			n.add(h)
		}
	}
	return n
}

// Renew implements [driver.Store]. Suspects, whose attempts are written too,
// are renewed one by one in the same round trip.
func (s *Store) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) (lost []driver.Held, err error) {
	if len(rows) == 0 {
		return nil, nil
	}
	plain, all := newNames(len(rows)), newNames(len(rows))
	var suspects []driver.Renewal
	for _, r := range rows {
		all.add(r.Held)
		if r.Attempts != 0 {
			suspects = append(suspects, r)
		} else {
			plain.add(r.Held)
		}
	}
	kept := newAnswer(len(rows))
	renew := func(b *pgx.Batch, plain names, suspects []driver.Renewal) {
		kept.clear()
		if len(plain.ids) > 0 {
			b.Queue(s.queries.Renew.SQL, append(s.fence(plain, owner), micros(lease))...).Query(kept.read)
		}
		for _, r := range suspects {
			attempts := int32(min(max(r.Attempts, 0), math.MaxInt32))
			b.Queue(s.queries.RenewAttempt.SQL, r.EventID, r.Seq, r.ClaimNo, string(owner), micros(lease), attempts).Query(kept.read)
		}
	}
	locked := lockedRows{store: s, owner: owner, sent: func() names { return all }}
	c := s.heldCall("renew", locked.find, func(b *pgx.Batch) {
		free := locked.free.found()
		rest := newNames(len(free))
		for i := range plain.ids {
			if h := plain.at(i); free[h] {
				rest.add(h)
			}
		}
		renew(b, rest, slices.DeleteFunc(slices.Clone(suspects), func(r driver.Renewal) bool { return !free[r.Held] }))
		locked.name(b)
	})
	if err := s.run(ctx, c, func(b *pgx.Batch) { renew(b, plain, suspects) }); err != nil {
		return nil, err
	}
	return locked.answer(kept.missing(&all))
}
