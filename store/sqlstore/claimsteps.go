package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// candidate is a claimable row of a lane.
type candidate struct {
	want int // which of the wants it is for
	at   int64
	seq  int64
	size int64
}

func (c candidate) compare(o candidate) int {
	return cmp.Or(cmp.Compare(c.want, o.want), cmp.Compare(c.at, o.at), cmp.Compare(c.seq, o.seq))
}

// position is the place of the row in its lane.
func (c candidate) position() driver.Position {
	return driver.Position{AvailableAt: time.UnixMicro(c.at).UTC(), Seq: c.seq}
}

// ClaimInSteps is the strategy for databases whose UPDATE returns nothing. One
// statement locks the candidates of every lane: claim.sql is a query for one
// lane, claim_tenant.sql for one tenant of a lane and claim_tenant_none.sql for
// rows without one, and UNION ALL joins them. Rows beyond the bytes of a want are
// left out, the rest are marked by key and then read by key.
func ClaimInSteps(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error) {
	found, err := s.candidates(ctx, req, req.Wants)
	if err != nil {
		return nil, err
	}
	keys := fitting(found, req.Wants)
	if keys.Rows() == 0 {
		return nil, nil
	}
	if _, err := s.Exec(ctx, s.Queries.ClaimMark, keys, string(req.Owner), s.Dialect.micros(req.Lease)); err != nil {
		return nil, err
	}
	rows, err := s.Query(ctx, s.Queries.ClaimRead, keys)
	return collect(rows, err, s.scanClaimed)
}

// candidates returns the claimable rows of every want.
func (s *Session) candidates(ctx context.Context, req driver.ClaimRequest, wants []driver.Want) ([]candidate, error) {
	const width = 7
	var parts []Query
	var args []any
	add := func(q Query, i int, w driver.Want) {
		parts = append(parts, q)
		args = append(args, int64(i), w.Lane, stored.AtMost(w.Rows), w.After.AvailableAt, w.After.Seq, w.Tenant, s.Dialect.age(req.Age))
	}
	for i, w := range wants {
		switch {
		case !w.ByTenant:
			add(s.Queries.Claim, i, w)
		case w.Tenant == "":
			add(s.Queries.ClaimTenantNone, i, w)
			add(s.Queries.ClaimTenant, i, w) // other programs may write an empty tenant
		default:
			add(s.Queries.ClaimTenant, i, w)
		}
	}
	rows, err := s.Query(ctx, unionOf(parts, width), nil, args...)
	return collect(rows, err, func(rows Rows) (c candidate, err error) {
		return c, rows.Scan(&c.want, &c.at, &c.seq, &c.size)
	})
}

// fitting returns the seqs of the candidates that their want has room for. The
// first one always fits: otherwise a large event would never be sent.
func fitting(found []candidate, wants []driver.Want) Batch {
	slices.SortFunc(found, candidate.compare) // a union keeps no order
	keys := newBatch(1, len(found))
	taken := make(map[int64]bool, len(found)) // two wants may be for the same rows
	want, n, size := -1, 0, int64(0)
	for _, c := range found {
		if c.want != want {
			want, n, size = c.want, 0, 0
		}
		n++
		size += c.size // never less than before: after one that does not fit, none does
		w := wants[want]
		if fits := n == 1 || w.Bytes <= 0 || size <= int64(w.Bytes); fits && n <= w.Rows && !taken[c.seq] {
			taken[c.seq] = true
			keys.add(c.seq)
		}
	}
	return keys
}
