package memstore

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// ConsumerGroups implements [driver.ConsumerStore].
func (s *Store) ConsumerGroups(ctx context.Context, after string, limit int) ([]driver.ConsumerGroup, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	byName := map[string]driver.ConsumerGroup{}
	for key, at := range s.ledger.entries {
		g := byName[key.group]
		if g.Name = key.group; at.After(g.LastAt) {
			g.LastAt = at
		}
		count(&g.Recorded)
		byName[key.group] = g
	}
	all := slices.SortedFunc(maps.Values(byName), func(a, b driver.ConsumerGroup) int { return cmp.Compare(a.Name, b.Name) })
	all = slices.DeleteFunc(all, func(g driver.ConsumerGroup) bool { return g.Name <= after })
	return all[:min(len(all), max(limit, 0))], nil
}
