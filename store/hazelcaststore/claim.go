package hazelcaststore

import (
	"cmp"
	"context"
	"math"
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
	due, free := now+tolerance-micros(req.Age), now-tolerance
	if req.Age > 0 {
		due -= tolerance // what became due since then is left out for certain
	}
	lane := &scan{
		table: m.events, attribute: "due", then: "seq", from: farPast, to: due,
		match: predicate.And(predicate.Equal("lane", want.Lane), predicate.LessOrEqual("until", free)),
		width: s.widths.get(want.Lane), most: int64(min(max(want.Rows, 1), maxWindow)),
	}
	if !want.After.AvailableAt.IsZero() {
		lane.from = max(want.After.AvailableAt.UnixMicro(), farPast)
	} else if first, found, err := m.events.least(ctx, "due", lane.window(farPast, due), false); err != nil || !found {
		return err
	} else {
		lane.from = first
	}
	room := &room{want: want}
	err := lane.run(ctx, func(texts [][]byte) (bool, error) {
		rows, err := s.fitting(texts, room, due, free)
		if err != nil {
			return false, err
		}
		taken, err := s.take(ctx, m, rows, req.Owner, req.Lease)
		for _, r := range taken {
			room.took(r)
			got(r.claimed())
		}
		return err == nil && !room.full, err
	})
	s.widths.set(want.Lane, lane.width)
	return err
}

// farPast is earlier than any time of an event. It leaves room for arithmetic.
const farPast = math.MinInt64 / 4

// room is what a want has left.
type room struct {
	want        driver.Want
	rows, bytes int
	full        bool
}

// fits reports whether there is room for a row behind others that were picked
// before it. The first one always fits: otherwise a large event would never be
// sent.
func (r *room) fits(size, picked, bytes int) bool {
	if r.rows+picked >= r.want.Rows {
		return false
	}
	return r.want.Bytes <= 0 || r.rows+picked == 0 || r.bytes+bytes+size <= r.want.Bytes
}

func (r *room) took(e *row) {
	r.rows++
	r.bytes += e.size()
}

// fitting picks from the texts of a window, in order, what there is room for.
func (s *Store) fitting(texts [][]byte, room *room, due, free int64) (fit []*row, err error) {
	rows := make([]*row, 0, len(texts))
	for _, t := range texts {
		r, err := parseRow(t)
		if err != nil {
			return nil, err
		}
		if r.claimable(due, free) && after(r, room.want.After) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b *row) int { return cmp.Or(cmp.Compare(*a.Due, *b.Due), cmp.Compare(a.Seq, b.Seq)) })
	bytes := 0
	for _, r := range rows {
		if !room.fits(r.size(), len(fit), bytes) {
			room.full = true
			break
		}
		fit, bytes = append(fit, r), bytes+r.size()
	}
	return fit, nil
}

func after(r *row, p driver.Position) bool {
	if p.AvailableAt.IsZero() {
		return true
	}
	return cmp.Or(cmp.Compare(*r.Due, p.AvailableAt.UnixMicro()), cmp.Compare(r.Seq, p.Seq)) > 0
}

// take claims rows that were just read, and returns those it got, in order.
func (s *Store) take(ctx context.Context, m *tables, rows []*row, owner driver.Owner, lease time.Duration) ([]*row, error) {
	won := make([]bool, len(rows))
	err := each(len(rows), func(i int) (err error) {
		next := rows[i].entry
		next.take(owner, s.clock.tick()+micros(lease))
		won[i], err = s.replace(ctx, m.events, rows[i], next)
		return err
	})
	var taken []*row
	for i, r := range rows {
		if won[i] {
			taken = append(taken, r)
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
