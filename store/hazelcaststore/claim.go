package hazelcaststore

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/hazelcast/hazelcast-go-client/predicate"

	"github.com/sendoff-go/outbox/driver"
)

// Claim implements [driver.Store]. A claim of a row is one ReplaceIfSame, which
// only one of several claimers wins. If the cluster becomes unavailable halfway,
// Claim returns what it has; whatever it claimed without an answer is free again
// after the lease.
func (s *Store) Claim(ctx context.Context, req driver.ClaimRequest) (got []driver.Claimed, err error) {
	var mu sync.Mutex
	err = s.call(ctx, func(ctx context.Context, m *tables) error {
		return each(len(req.Wants), func(i int) error {
			return s.claimLane(ctx, m, req, req.Wants[i], func(c driver.Claimed) {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, c)
			})
		})
	})
	if err != nil && len(got) == 0 {
		return nil, err
	}
	slices.SortFunc(got, func(a, b driver.Claimed) int {
		return cmp.Or(cmp.Compare(a.Event.Type, b.Event.Type), a.Position.AvailableAt.Compare(b.Position.AvailableAt), cmp.Compare(a.Seq, b.Seq))
	})
	return got, nil
}

func (s *Store) claimLane(ctx context.Context, m *tables, req driver.ClaimRequest, want driver.Want, got func(driver.Claimed)) error {
	if want.Rows <= 0 {
		return nil
	}
	now, tolerance := s.clock.now(), s.clock.tolerance()
	// The clock of the writer or of an earlier owner may be a little ahead. An
	// event without a delay is due at once, and no lease ends early.
	due, free := now+min(tolerance, micros(maxEarly))-micros(req.Age), now-tolerance
	known, room := s.heads.get(want.Lane), &room{want: want}
	lane := &scan{
		table: m.events, attribute: "due", then: "seq", to: due, width: known.width, most: room.window(known.size),
		match: predicate.And(predicate.Equal("lane", want.Lane), predicate.LessOrEqual("until", free)),
	}
	fromHead := want.After.AvailableAt.IsZero()
	if !fromHead {
		lane.from = max(want.After.AvailableAt.UnixMicro(), farPast)
	} else if found, err := lane.begin(ctx, known); err != nil || !found {
		return err
	}
	last := due
	err := lane.run(ctx, func(texts [][]byte) (bool, error) {
		rows := s.fitting(texts, room, due, free)
		taken, err := s.take(ctx, m, rows, req.Owner, req.Lease)
		for _, c := range taken {
			room.took(c)
			got(c)
		}
		if room.full = room.full || room.rows >= want.Rows; room.full && len(rows) > 0 {
			last = *rows[len(rows)-1].Due
		}
		return err == nil && !room.full, err
	})
	known.width = lane.width
	if room.rows > 0 {
		known.size = room.bytes / room.rows
	}
	if fromHead && err == nil {
		known.from = last // the claim has read all before it
	}
	s.heads.set(want.Lane, known)
	return err
}

// take claims rows that were just read, and returns those it got, in order.
func (s *Store) take(ctx context.Context, m *tables, rows []*row, owner driver.Owner, lease time.Duration) ([]driver.Claimed, error) {
	won := make([]bool, len(rows))
	err := each(len(rows), func(i int) (err error) {
		next := rows[i].entry
		next.take(owner, s.clock.tick()+micros(lease))
		won[i], err = s.replace(ctx, m.events, rows[i], next)
		return err
	})
	var taken []driver.Claimed
	for i, r := range rows {
		if won[i] {
			taken = append(taken, r.claimed())
		}
	}
	return taken, err
}

// replace changes a row if it is as it was read.
func (s *Store) replace(ctx context.Context, t *table, r *row, next entry) (bool, error) {
	raw := encode(next)
	ok, err := t.replace(ctx, next.ID, r.raw, raw)
	if ok {
		r.entry, r.raw = next, raw
	}
	return ok, err
}
