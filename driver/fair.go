package driver

import "context"

// FairStore is a store from which a relay can claim tenant by tenant, so that a
// tenant with very many events does not keep those of others waiting. Its claims
// take a [Want] for one tenant. Rows without a tenant belong to the tenant "".
type FairStore interface {
	// Tenants lists at most limit tenants that have pending rows in the lane, in
	// an order of the store's own, starting after the given tenant ("" for the
	// first). It does not list the tenant "". Its cost depends on the number of
	// tenants, not of rows. It takes no lock and waits for none.
	Tenants(ctx context.Context, lane, after string, limit int) ([]WaitingTenant, error)

	// PrepareFair creates what Tenants and claims by tenant need to be fast, such
	// as an index, so that only its users pay for it. It may be called again.
	PrepareFair(ctx context.Context) error

	// CheckFair returns an [outbox.ErrSchema] that says what to do if what
	// PrepareFair creates is missing.
	CheckFair(ctx context.Context) error
}

// WaitingTenant is a tenant with pending rows in a lane.
type WaitingTenant struct {
	Tenant string
	// Due is true if the earliest of them is due. It may be held.
	Due bool
}
