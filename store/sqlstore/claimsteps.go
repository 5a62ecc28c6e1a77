package sqlstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// candidate is a claimable row of a lane, locked until the transaction ends.
type candidate struct {
	want int // which of the wants it is for
	at   int64
	seq  int64
	size int64
}

// ClaimInSteps is the strategy for databases whose UPDATE returns nothing. One
// statement locks the candidates of every lane: claim.sql is a query for one
// lane, and UNION ALL joins them. Rows beyond a lane's bytes are left out, the
// rest are marked by key and then read by key.
func ClaimInSteps(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error) {
	var args []any
	for i, w := range req.Wants {
		args = append(args, int64(i), w.Lane, stored.AtMost(w.Rows), w.After.AvailableAt, w.After.Seq, s.Dialect.age(req.Age))
	}
	rows, err := s.Query(ctx, s.Queries.Claim.union(len(req.Wants), 6), nil, args...)
	found, err := collect(rows, err, func(rows Rows) (c candidate, err error) {
		return c, rows.Scan(&c.want, &c.at, &c.seq, &c.size)
	})
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
	rows, err = s.Query(ctx, s.Queries.ClaimRead, keys)
	return collect(rows, err, s.scanClaimed)
}

// fitting returns the seqs of the candidates that their lane has bytes for. The
// first one always fits: otherwise a large event would never be sent.
func fitting(found []candidate, wants []driver.Want) Batch {
	// A union keeps no order.
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.want, b.want), cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq))
	})
	keys := newBatch(1, len(found))
	lane, size := -1, int64(0)
	for _, c := range found {
		first := c.want != lane
		if first {
			lane, size = c.want, 0
		}
		size += c.size // never less than before: after one that does not fit, none does
		if bound := int64(wants[lane].Bytes); first || bound <= 0 || size <= bound {
			keys.add(c.seq)
		}
	}
	return keys
}
