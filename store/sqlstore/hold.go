package sqlstore

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// Take implements [driver.Store].
func (s *Engine) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	batch := hotBatch(rows)
	var taken []driver.Held
	err := s.run(ctx, s.relayCall("take", func(ctx context.Context, session *Session) (err error) {
		taken, err = session.take(ctx, batch, string(owner), s.dialect.micros(lease))
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// take claims rows by name. Where the statement does not skip locked rows, its
// companion does, and names the others.
func (s *Session) take(ctx context.Context, rows Batch, args ...any) ([]driver.Held, error) {
	q := s.Queries.Take
	if q.which == nil {
		return changing(ctx, s, q, scanHeld, rows, args...)
	}
	free, err := skipping(ctx, s, *q.which, scanHeld, rows)
	if err != nil || len(free) == 0 {
		return nil, err
	}
	_, err = s.Exec(ctx, q, heldBatch(free), args...)
	return free, err
}

// Confirm implements [driver.Store].
func (s *Engine) Confirm(ctx context.Context, rows []driver.Held) ([]driver.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	batch := hotBatch(rows)
	var there []driver.Held
	err := s.run(ctx, s.relayCall("confirm", func(ctx context.Context, session *Session) error {
		answer, err := session.Query(ctx, s.queries.Confirm, batch)
		there, err = collect(answer, err, func(rows Rows) (h driver.Held, err error) {
			return h, rows.Scan(&h.EventID, &h.Seq)
		})
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return there, nil
}

// hotBatch has the ids and seqs of the rows that are held as their writer left
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
func (s *Engine) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) (lost []driver.Held, err error) {
	return s.renew(ctx, owner, lease, rows, func(ctx context.Context, session *Session) ([]driver.Held, error) {
		kept, err := session.renew(ctx, owner, lease, rows)
		return kept.missing(renewed(rows)), err
	})
}

// renew renews rows with a function that returns the lost ones.
func (s *Engine) renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal, all func(context.Context, *Session) ([]driver.Held, error)) ([]driver.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	return s.runHeld(ctx, heldCall{
		what: "renew", owner: owner, all: all,
		sent: func() (claims, again []driver.Held) { return renewed(rows), nil },
		some: func(ctx context.Context, session *Session, free heldSet) (heldSet, error) {
			return session.renew(ctx, owner, lease, slices.DeleteFunc(slices.Clone(rows), func(r driver.Renewal) bool { return !free[r.Held] }))
		},
	})
}

func renewed(rows []driver.Renewal) []driver.Held {
	held := make([]driver.Held, len(rows))
	for i, r := range rows {
		held[i] = r.Held
	}
	return held
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
			r.EventID, r.Seq, r.ClaimNo, string(owner), until, stored.AtMost(max(r.Attempts, 0))); err != nil {
			return nil, err
		}
	}
	return kept, nil
}
