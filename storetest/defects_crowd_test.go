package storetest

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// crowdDefects show only sometimes, like other concurrency bugs.
func crowdDefects() []defect {
	const law = "concurrent clients lose no row and settle no claim twice"
	var n atomic.Int64
	sometimes := func() bool { return n.Add(1)%7 == 0 }
	return []defect{
		{"a settle is lost now and then", law, false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				if sometimes() && len(outcomes) > 0 {
					outcomes = outcomes[1:]
				}
				return b.Store.Settle(ctx, owner, outcomes, keep)
			}
		}},
		{"a claim is given to two now and then", law, false, func(b *broken) {
			var before []driver.Claimed
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				cs, err := b.Store.Claim(ctx, req)
				b.mu.Lock()
				defer b.mu.Unlock()
				also := before
				if before = nil; sometimes() {
					before = slices.Clone(cs)
				}
				return append(cs, also...), err
			}
		}},
		{"a live owner's row is taken now and then", law, false, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				if sometimes() {
					b.mu.Lock()
					ids := slices.Clone(b.ids)
					b.mu.Unlock()
					_ = b.Expire(ctx, ids...)
				}
				return b.Store.Claim(ctx, req)
			}
		}},
		{"a row is lost now and then", law, false, func(b *broken) {
			b.take = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
				got, err := b.Store.Take(ctx, owner, lease, rows)
				var outcomes []driver.Outcome
				for _, h := range got {
					outcomes = append(outcomes, driver.Outcome{Held: h, Kind: driver.Done})
				}
				_, _ = b.Store.Settle(ctx, owner, outcomes, false)
				return got, err
			}
		}},
		{"an attempt is forgotten now and then", law, false, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				outcomes = slices.Clone(outcomes)
				for i := range outcomes {
					if outcomes[i].Kind == driver.Retry && sometimes() {
						outcomes[i].Attempts--
					}
				}
				return b.Store.Settle(ctx, owner, outcomes, keep)
			}
		}},
		{"a renewal refuses a claim that is held", law, false, func(b *broken) {
			b.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
				lost, err := b.Store.Renew(ctx, owner, lease, rows)
				if len(rows) > 0 && len(lost) == 0 {
					lost = append(lost, rows[0].Held)
				}
				return lost, err
			}
		}},
	}
}
