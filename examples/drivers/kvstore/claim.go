package kvstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Claim implements [driver.Store].
func (s *Store) Claim(ctx context.Context, req driver.ClaimRequest) (claimed []driver.Claimed, err error) {
	wants := slices.Clone(req.Wants)
	slices.SortStableFunc(wants, func(a, b driver.Want) int { return cmp.Compare(a.Lane, b.Lane) })
	err = s.change(ctx, func(next *state, now time.Time) {
		for _, want := range wants {
			for _, r := range next.fitting(want, now, now.Add(-req.Age)) {
				r.take(req.Owner, now.Add(req.Lease))
				next.Rows[r.Event.ID] = r
				claimed = append(claimed, r.claimed())
			}
		}
	})
	if err != nil {
		return nil, err // no row of a claim is used before the claim is in the file
	}
	return claimed, nil
}

// fitting returns the free rows of a lane that were due then, in order, as far as
// the want has room. The first always fits: otherwise a large one would never go.
func (st *state) fitting(want driver.Want, now, then time.Time) (fit []row) {
	var free []row
	for _, r := range st.Rows {
		if r.Event.Type == want.Lane && r.free(now) && !r.AvailableAt.After(then) && comparePositions(r.position(), want.After) > 0 {
			free = append(free, r)
		}
	}
	slices.SortFunc(free, func(a, b row) int { return comparePositions(a.position(), b.position()) })
	size := 0
	for _, r := range free {
		size += r.size()
		if len(fit) >= want.Rows || want.Bytes > 0 && size > want.Bytes && len(fit) > 0 {
			break
		}
		fit = append(fit, r)
	}
	return fit
}

func (r row) claimed() driver.Claimed {
	return driver.Claimed{
		Held: r.held(), Event: r.event(), Position: r.position(), CreatedAt: r.CreatedAt,
		Attempts: r.Attempts, Recovered: r.Recovered, Failures: slices.Clone(r.Failures),
	}
}

// Take implements [driver.Store]: a claim by name of rows under a head start,
// which does not stand in the way of the process that asked for it.
func (s *Store) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) (taken []driver.Held, err error) {
	err = s.change(ctx, func(next *state, now time.Time) {
		for _, h := range rows {
			if r := next.Rows[h.EventID]; h.ClaimNo == 0 && r.heldAs("", h) {
				r.take(owner, now.Add(lease))
				next.Rows[h.EventID] = r
				taken = append(taken, r.held())
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// Renew implements [driver.Store].
func (s *Store) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) (lost []driver.Held, err error) {
	err = s.change(ctx, func(next *state, now time.Time) {
		for _, n := range rows {
			r := next.Rows[n.EventID]
			if !r.heldAs(owner, n.Held) {
				lost = append(lost, n.Held)
				continue
			}
			r.LockedUntil = now.Add(lease)
			if n.Attempts != 0 {
				r.Attempts = max(n.Attempts, 0) // NoAttempts is negative
			}
			next.Rows[n.EventID] = r
		}
	})
	if err != nil {
		return nil, err
	}
	return lost, nil
}
