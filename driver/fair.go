package driver

import "context"

// FairStore is a store from which a relay can claim tenant by tenant, so that a
// tenant with very many events does not keep those of others waiting. Its claims
// take a [Want] of one tenant. Rows without a tenant belong to the tenant "".
type FairStore interface {
	// Tenants lists tenants that have pending rows in the lane, at most limit of
	// them, in an order of the store's own after the given one ("" for the
	// first). The tenant "" is not listed. Its cost depends on the number of
	// tenants, not of rows. It takes no lock and waits for none.
	Tenants(ctx context.Context, lane, after string, limit int) ([]WaitingTenant, error)

	// PrepareFair creates what Tenants and claims by tenant need to be fast, such
	// as an index, which only those pay for who use it. It may be repeated.
	PrepareFair(ctx context.Context) error

	// CheckFair returns an [outbox.ErrSchema] that says what to do if that is
	// missing.
	CheckFair(ctx context.Context) error
}

// WaitingTenant is a tenant with pending rows in a lane.
type WaitingTenant struct {
	Tenant string
	// Due is true if the time of the earliest of them has come. It may be held.
	Due bool
}
