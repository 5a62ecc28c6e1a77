package memstore

import (
	"context"
	"maps"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// Tenants implements [driver.FairStore], in byte order.
func (s *Store) Tenants(ctx context.Context, lane, after string, limit int) ([]driver.WaitingTenant, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	now := s.now()
	due := map[string]bool{}
	for _, r := range s.waiting[lane] {
		if t := r.event.TenantID; t > after {
			due[t] = due[t] || r.due(now)
		}
	}
	var tenants []driver.WaitingTenant
	for _, t := range slices.Sorted(maps.Keys(due)) {
		tenants = append(tenants, driver.WaitingTenant{Tenant: t, Due: due[t]})
	}
	return tenants[:min(len(tenants), max(limit, 0))], nil
}

// PrepareFair implements [driver.FairStore]. There is nothing to prepare.
func (s *Store) PrepareFair(ctx context.Context) error { return s.CheckFair(ctx) }

// CheckFair implements [driver.FairStore].
func (s *Store) CheckFair(ctx context.Context) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	s.mu.Unlock()
	return nil
}
