package relay_test

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// wrapped is a store of which a test answers some calls itself. A nil field
// leaves the call to the store.
type wrapped struct {
	driver.Store
	claim  func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error)
	renew  func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error)
	settle func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error)
}

func (s *wrapped) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	if s.claim != nil {
		return s.claim(ctx, req)
	}
	return s.Store.Claim(ctx, req)
}

func (s *wrapped) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
	if s.renew != nil {
		return s.renew(ctx, owner, lease, rows)
	}
	return s.Store.Renew(ctx, owner, lease, rows)
}

func (s *wrapped) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
	if s.settle != nil {
		return s.settle(ctx, owner, outcomes, keep)
	}
	return s.Store.Settle(ctx, owner, outcomes, keep)
}
