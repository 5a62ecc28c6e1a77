package hazelcaststore

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// alter changes the rows of claims that are held, each with one ReplaceIfSame
// that is repeated while others change the row, and returns by position which
// were held. Claims of one row are handled in their order.
func (s *Store) alter(ctx context.Context, m *tables, owner driver.Owner, claims []driver.Held, alter func(ctx context.Context, i int, r *row) (bool, error)) ([]bool, error) {
	held := make([]bool, len(claims))
	byID, ids := map[string][]int{}, []string{}
	for i, h := range claims {
		if byID[h.EventID] == nil {
			ids = append(ids, h.EventID)
		}
		byID[h.EventID] = append(byID[h.EventID], i)
	}
	err := chunks(ids, func(ids []string) error {
		texts, err := m.events.getAll(ctx, ids)
		if err != nil {
			return err
		}
		return each(len(ids), func(n int) error {
			raw := texts[ids[n]]
			for _, i := range byID[ids[n]] {
				var err error
				raw, held[i], err = s.alterOne(ctx, m, owner, claims[i], raw, func(r *row) (bool, error) { return alter(ctx, i, r) })
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	return held, err
}

// alterOne also returns the text that the row has now; nil if it has none.
func (s *Store) alterOne(ctx context.Context, m *tables, owner driver.Owner, h driver.Held, raw []byte, alter func(r *row) (bool, error)) (now []byte, held bool, err error) {
	for raw != nil {
		r, err := parseRow(raw)
		if err != nil || !r.heldAs(owner, h) {
			return raw, false, nil
		}
		if ok, err := alter(r); ok || err != nil {
			return r.raw, ok, err
		}
		if raw, err = m.events.get(ctx, h.EventID); err != nil {
			return nil, false, err
		}
	}
	return nil, false, nil
}

// Renew implements [driver.Store]. A claim whose lease has run out and that
// nobody else took is still held.
func (s *Store) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) (lost []driver.Held, err error) {
	claims := make([]driver.Held, len(rows))
	for i, n := range rows {
		claims[i] = n.Held
	}
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		held, err := s.alter(ctx, m, owner, claims, func(ctx context.Context, i int, r *row) (bool, error) {
			next := r.entry
			next.Until = s.clock.tick() + micros(lease)
			if n := rows[i].Attempts; n != 0 {
				next.Attempts = max(n, 0)
			}
			return s.replace(ctx, m.events, r, next)
		})
		lost = missed(claims, held)
		return err
	})
	if err != nil {
		return nil, err
	}
	return lost, nil
}

// missed are the claims that were not held.
func missed(claims []driver.Held, held []bool) (lost []driver.Held) {
	for i, h := range claims {
		if !held[i] {
			lost = append(lost, h)
		}
	}
	return lost
}
