package memstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Claim implements [driver.Store].
func (s *Store) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	wants := slices.Clone(req.Wants)
	slices.SortStableFunc(wants, func(a, b driver.Want) int { return cmp.Compare(a.Lane, b.Lane) })
	now := s.now()
	var claimed []driver.Claimed
	for _, want := range wants {
		for _, r := range fitting(want, s.waiting[want.Lane], now, now.Add(-req.Age)) {
			r.take(req.Owner, now.Add(req.Lease))
			claimed = append(claimed, r.claimed())
		}
	}
	slices.SortStableFunc(claimed, func(a, b driver.Claimed) int { // of a lane that is wanted twice
		return cmp.Or(cmp.Compare(a.Event.Type, b.Event.Type), comparePositions(a.Position, b.Position))
	})
	return claimed, nil
}

// fitting returns the claimable rows of a lane that were due then and that the want
// has room for. The first one always fits: otherwise a large event would never be
// sent.
func fitting(want driver.Want, rows []*row, now, then time.Time) []*row {
	var fit []*row
	size := 0
	for _, r := range rows[after(rows, want.After):] {
		if !r.due(then) {
			break
		}
		if !r.claimable(now) || want.ByTenant && r.event.TenantID != want.Tenant {
			continue
		}
		size += len(r.event.Payload())
		if len(fit) == want.Rows || (want.Bytes > 0 && size > want.Bytes && len(fit) > 0) {
			break
		}
		fit = append(fit, r)
	}
	return fit
}

func comparePositions(a, b driver.Position) int {
	return cmp.Or(a.AvailableAt.Compare(b.AvailableAt), cmp.Compare(a.Seq, b.Seq))
}

func (r *row) claimed() driver.Claimed {
	return driver.Claimed{
		Held:      r.held(),
		Event:     r.event.Clone(),
		Attempts:  r.attempts,
		Recovered: r.recovered,
		CreatedAt: r.createdAt,
		Position:  r.position(),
		Failures:  slices.Clone(r.failures),
	}
}

// Take implements [driver.Store]. Only a row as its writer left it can be taken
// by name: it goes from number 0 to 1. The head start is ignored: it protects
// this very taker.
func (s *Store) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	until := s.now().Add(lease)
	var taken []driver.Held
	for _, h := range rows {
		if r := s.rows[h.EventID]; h.ClaimNo == 0 && r.heldAs(owner, h) && !r.taken() {
			r.take(owner, until)
			taken = append(taken, r.held())
		}
	}
	return taken, nil
}
