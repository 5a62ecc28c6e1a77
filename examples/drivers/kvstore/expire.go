package kvstore

import (
	"context"
	"time"
)

// Expire ends the claims and head starts of those events now, as if their time
// had passed. It is for tests.
func (s *Store) Expire(ctx context.Context, ids ...string) error {
	return s.change(ctx, func(next *state, now time.Time) {
		for _, id := range ids {
			if r, found := next.Rows[id]; found && !r.LockedUntil.IsZero() {
				r.LockedUntil = now
				next.Rows[id] = r
			}
		}
	})
}
