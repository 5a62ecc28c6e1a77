package pgxstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// Renew implements [driver.Store]. Suspects, whose attempts are written too,
// are renewed one by one in the same round trip.
func (s *Store) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) (lost []driver.Held, err error) {
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
	return s.engine.Renew(ctx, owner, lease, rows, func(ctx context.Context, tx transport.Querier) ([]driver.Held, error) {
		if err := exchange(ctx, tx, func(b *pgx.Batch) {
			kept.clear()
			if len(plain.ids) > 0 {
				b.Queue(s.queries.Renew.SQL, append(s.fence(plain, owner), micros(lease))...).Query(kept.read)
			}
			for _, r := range suspects {
				b.Queue(s.queries.RenewAttempt.SQL, r.EventID, r.Seq, r.ClaimNo, string(owner), micros(lease),
					stored.AtMost(max(r.Attempts, 0))).Query(kept.read)
			}
		}); err != nil {
			return nil, err
		}
		return kept.without(&all), nil
	})
}
