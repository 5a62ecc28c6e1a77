package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/sendoff-go/outbox"
)

// Take implements [outbox.Store].
func (s *Store) Take(ctx context.Context, owner outbox.Owner, lease time.Duration, rows []outbox.Held) ([]outbox.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	batch := hotBatch(rows)
	var taken []outbox.Held
	err := s.run(ctx, "take", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		err := session.limitWait(ctx)
		if err != nil {
			return err
		}
		taken, err = changing(ctx, session, s.queries.Take, scanHeld, batch, string(owner), s.dialect.micros(lease))
		return err
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// Confirm implements [outbox.Store].
func (s *Store) Confirm(ctx context.Context, rows []outbox.Held) ([]outbox.Held, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	batch := hotBatch(rows)
	var there []outbox.Held
	err := s.run(ctx, "confirm", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		answer, err := session.Query(ctx, s.queries.Confirm, batch)
		there, err = collect(answer, err, func(rows *sql.Rows) (h outbox.Held, err error) {
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
func hotBatch(rows []outbox.Held) Batch {
	b := newBatch(2, len(rows))
	for _, h := range rows {
		if h.ClaimNo == 0 {
			b.add(h.EventID, h.Seq)
		}
	}
	return b
}

// Renew implements [outbox.Store].
func (s *Store) Renew(ctx context.Context, owner outbox.Owner, lease time.Duration, rows []outbox.Renewal) (lost []outbox.Held, err error) {
	if len(rows) == 0 {
		return nil, nil
	}
	all := make([]outbox.Held, len(rows))
	var plain []outbox.Held
	var suspects []outbox.Renewal
	for i, r := range rows {
		all[i] = r.Held
		if r.Attempts != 0 {
			suspects = append(suspects, r)
		} else {
			plain = append(plain, r.Held)
		}
	}
	batch, until := heldBatch(plain), s.dialect.micros(lease)
	var kept heldSet
	err = s.run(ctx, "renew", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		if err := session.limitWait(ctx); err != nil {
			return err
		}
		kept = heldSet{}
		if len(plain) > 0 {
			if err := kept.change(ctx, session, s.queries.Renew, batch, string(owner), until); err != nil {
				return err
			}
		}
		for _, r := range suspects {
			if err := kept.change(ctx, session, s.queries.RenewAttempt, nil,
				r.EventID, r.Seq, r.ClaimNo, string(owner), until, int64(max(r.Attempts, 0))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return kept.missing(all), nil
}

// heldSet is what a statement answered for.
type heldSet map[outbox.Held]bool

// missing are those of all that are not in the set, in their order.
func (s heldSet) missing(all []outbox.Held) (out []outbox.Held) {
	for _, h := range all {
		if !s[h] {
			out = append(out, h)
		}
	}
	return out
}
