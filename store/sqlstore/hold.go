package sqlstore

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Take implements [driver.Store].
func (s *Store) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	batch := hotBatch(rows)
	var taken []driver.Held
	err := s.run(ctx, "take", s.config.StatementTimeout, func(ctx context.Context, session *Session) (err error) {
		taken, err = session.take(ctx, batch, string(owner), s.dialect.micros(lease))
		return err
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// take claims rows by name. Where the statement does not leave out what somebody
// has locked, its companion does, and names the others.
func (s *Session) take(ctx context.Context, rows Batch, args ...any) ([]driver.Held, error) {
	q := s.Queries.Take
	if q.which == nil {
		return changing(ctx, s, q, scanHeld, rows, args...)
	}
	answer, err := s.Query(ctx, *q.which, rows)
	free, err := collect(answer, err, scanHeld)
	if err != nil || len(free) == 0 {
		return nil, err
	}
	_, err = s.Exec(ctx, q, heldBatch(free), args...)
	return free, err
}

// Confirm implements [driver.Store].
func (s *Store) Confirm(ctx context.Context, rows []driver.Held) ([]driver.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	batch := hotBatch(rows)
	var there []driver.Held
	err := s.run(ctx, "confirm", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		answer, err := session.Query(ctx, s.queries.Confirm, batch)
		there, err = collect(answer, err, func(rows *sql.Rows) (h driver.Held, err error) {
			return h, rows.Scan(&h.EventID, &h.Seq)
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return there, nil
}

// hotBatch has ids and seqs of the rows that are held as their writer left
// them. Others are neither taken nor confirmed.
func hotBatch(rows []driver.Held) Batch {
	b := newBatch(2, len(rows))
	for _, h := range rows {
		if h.ClaimNo == 0 {
			b.add(h.EventID, h.Seq)
		}
	}
	return b
}

// Renew implements [driver.Store].
func (s *Store) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) (lost []driver.Held, err error) {
	if len(rows) == 0 {
		return nil, nil
	}
	all := make([]driver.Held, len(rows))
	for i, r := range rows {
		all[i] = r.Held
	}
	var kept, locked heldSet
	err = s.do(ctx, call{what: "renew", timeout: s.config.StatementTimeout,
		work: func(ctx context.Context, session *Session) (err error) {
			kept, err = session.renew(ctx, owner, lease, rows)
			return err
		},
		around: func(ctx context.Context, session *Session) (err error) {
			locked, err = session.around(ctx, owner, all, func(free heldSet) error {
				kept, err = session.renew(ctx, owner, lease, slices.DeleteFunc(slices.Clone(rows), func(r driver.Renewal) bool { return !free[r.Held] }))
				return err
			})
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	return locked.answer(all, kept.missing(all))
}

func (s *Session) renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) (kept heldSet, err error) {
	var plain []driver.Held
	var suspects []driver.Renewal
	for _, r := range rows {
		if r.Attempts != 0 {
			suspects = append(suspects, r)
		} else {
			plain = append(plain, r.Held)
		}
	}
	kept = make(heldSet, len(rows))
	until := s.Dialect.micros(lease)
	if len(plain) > 0 {
		if err := kept.change(ctx, s, s.Queries.Renew, heldBatch(plain), string(owner), until); err != nil {
			return nil, err
		}
	}
	for _, r := range suspects {
		if err := kept.change(ctx, s, s.Queries.RenewAttempt, nil,
			r.EventID, r.Seq, r.ClaimNo, string(owner), until, int64(max(r.Attempts, 0))); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// heldSet is what a statement answered for.
type heldSet map[driver.Held]bool

// missing are those of all that are not in the set, in their order.
func (s heldSet) missing(all []driver.Held) (out []driver.Held) {
	for _, h := range all {
		if !s[h] {
			out = append(out, h)
		}
	}
	return out
}
