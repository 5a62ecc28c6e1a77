package relay_test

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
)

// wrapped is a store of which a test answers some calls itself. A nil field
// leaves the call to the store.
type wrapped struct {
	outbox.Store
	claim  func(ctx context.Context, req outbox.ClaimRequest) ([]outbox.Claimed, error)
	renew  func(ctx context.Context, owner outbox.Owner, lease time.Duration, rows []outbox.Renewal) ([]outbox.Held, error)
	settle func(ctx context.Context, owner outbox.Owner, outcomes []outbox.Outcome, keep bool) ([]outbox.Held, error)
}

func (s *wrapped) Claim(ctx context.Context, req outbox.ClaimRequest) ([]outbox.Claimed, error) {
	if s.claim != nil {
		return s.claim(ctx, req)
	}
	return s.Store.Claim(ctx, req)
}

func (s *wrapped) Renew(ctx context.Context, owner outbox.Owner, lease time.Duration, rows []outbox.Renewal) ([]outbox.Held, error) {
	if s.renew != nil {
		return s.renew(ctx, owner, lease, rows)
	}
	return s.Store.Renew(ctx, owner, lease, rows)
}

func (s *wrapped) Settle(ctx context.Context, owner outbox.Owner, outcomes []outbox.Outcome, keep bool) ([]outbox.Held, error) {
	if s.settle != nil {
		return s.settle(ctx, owner, outcomes, keep)
	}
	return s.Store.Settle(ctx, owner, outcomes, keep)
}
