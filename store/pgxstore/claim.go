package pgxstore

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// Claim implements [driver.Store].
func (s *Store) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	lanes, tenants := claimArguments(req, false), claimArguments(req, true)
	if lanes == nil && tenants == nil {
		return nil, nil
	}
	placed, err := s.placed(ctx)
	if err != nil {
		return nil, err
	}
	ofLanes, ofTenants := s.queries.Claim.SQL, s.queries.ClaimTenant.SQL
	if placed {
		ofLanes, ofTenants = s.queries.ClaimPlaced.SQL, s.queries.ClaimTenantPlaced.SQL
	}
	c := s.spare.take()
	defer s.spare.giveBack(c)
	err = s.engine.Run(ctx, "claim", func(ctx context.Context, tx transport.Querier) error {
		c.clear() // drops the rows of a failed attempt
		return exchange(ctx, tx, func(b *pgx.Batch) {
			read := func(rows pgx.Rows) error { return c.read(rows, placed) }
			if lanes != nil {
				b.Queue(ofLanes, lanes...).Query(read)
			}
			if tenants != nil {
				b.Queue(ofTenants, tenants...).Query(read)
			}
		})
	})
	if err != nil {
		return nil, err
	}
	return c.inOrder(), nil
}

// claimArguments returns arrays with one entry for each wanted lane or, byTenant,
// for each wanted tenant of a lane; nil if there are none.
func claimArguments(req driver.ClaimRequest, byTenant bool) []any {
	n := len(req.Wants)
	lanes, rows, bytes := make([]string, 0, n), make([]int32, 0, n), make([]int64, 0, n)
	times, seqs := make([]pgtype.Timestamptz, 0, n), make([]int64, 0, n)
	var tenants []string
	for _, w := range req.Wants {
		if w.Rows <= 0 || w.ByTenant != byTenant {
			continue
		}
		lanes = append(lanes, w.Lane)
		rows = append(rows, int32(stored.AtMost(w.Rows)))
		bytes = append(bytes, int64(max(w.Bytes, 0)))
		times, seqs = append(times, after(w.After.AvailableAt)), append(seqs, w.After.Seq)
		if byTenant {
			tenants = append(tenants, w.Tenant)
		}
	}
	switch {
	case len(lanes) == 0:
		return nil
	case byTenant:
		return []any{lanes, rows, bytes, times, seqs, tenants, string(req.Owner), micros(req.Lease), req.Age.Microseconds()}
	}
	return []any{lanes, rows, bytes, times, seqs, string(req.Owner), micros(req.Lease), req.Age.Microseconds()}
}

// after is a position to start from. The zero time sorts before all others,
// even before the infinite one that another program may have written.
func after(t time.Time) pgtype.Timestamptz {
	if t.IsZero() {
		return pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: t, Valid: true}
}

// micros converts a duration to what PostgreSQL keeps of it.
func micros(d time.Duration) int64 { return stored.Micros(d, time.Microsecond) }

// read reads the rows of a claim.
func (c *claim) read(rows pgx.Rows, placed bool) error {
	return eachRow(rows, func(r *row) {
		c.rows = slices.Grow(c.rows, 1)[:len(c.rows)+1]
		to := &c.rows[len(c.rows)-1]
		to.Problem = c.reader.event(r, &to.Held, &to.Event)
		to.Attempts, to.Recovered = int(r.integer()), int(r.integer())
		to.Position = driver.Position{AvailableAt: r.moment(), Seq: to.Seq}
		occurred := r.moment()
		to.CreatedAt = r.moment()
		to.Event.OccurredAt = stored.OccurredAt(occurred, to.CreatedAt)
		to.Failures = json.RawMessage(clone(r.text()))
		if placed {
			to.Token = r.place()
		}
	})
}
