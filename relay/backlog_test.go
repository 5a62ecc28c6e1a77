//go:build !race

package relay_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// holdings counts what the relay holds: claimed, and not settled.
type holdings struct {
	mu   sync.Mutex
	held map[string]bool
	most int
}

func (h *holdings) over(s driver.Store) *wrapped {
	w := &wrapped{Store: s}
	w.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
		rows, err := s.Claim(ctx, req)
		h.mu.Lock()
		defer h.mu.Unlock()
		for i := range rows {
			h.held[rows[i].EventID] = true
		}
		h.most = max(h.most, len(h.held))
		return rows, err
	}
	w.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
		stale, err := s.Settle(ctx, owner, outcomes, keep)
		h.mu.Lock()
		defer h.mu.Unlock()
		for i := range outcomes {
			delete(h.held, outcomes[i].EventID)
		}
		return stale, err
	}
	// A row takes half a millisecond: forty thousand cannot be renewed within a
	// lease.
	w.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
		select {
		case <-time.After(time.Duration(len(rows)) * time.Millisecond / 2):
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", outbox.ErrStoreDown, ctx.Err())
		}
		return s.Renew(ctx, owner, lease, rows)
	}
	return w
}

// left is how many events are neither done nor dead.
func (r *rig) left(ctx context.Context) int64 {
	s := r.stats(ctx)
	return s.Waiting.N + s.Held.N
}

// All types have a backlog at once, and nothing is at fault. What their lanes
// hold together must be renewed in time, or others deliver it again.
func TestWhatManyBackloggedTypesHoldTogetherIsBounded(t *testing.T) {
	const (
		types, each = 2000, 20
		maxHeld     = 10_000    // of the configuration, by default
		slack       = 2 * types // a lane that waited for a second may take a little though there is no room
		atOnce      = 200       // the destinations have so many connections together
		run         = 200 * time.Millisecond
	)
	name := func(i int) string { return fmt.Sprintf("type-%04d", i) }
	first := make([]time.Duration, types)
	var mu sync.Mutex
	var start time.Time
	cfg := relay.Config{Logger: quietLog(), Delivered: relay.DeleteAtSettle, Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		conns := make(chan struct{}, atOnce)
		for i := range types {
			r.reg.Handle(name(i), func(_ context.Context, e outbox.Event) error {
				conns <- struct{}{}
				<-time.After(run)
				<-conns
				r.seen.note(e)
				mu.Lock()
				defer mu.Unlock()
				if first[i] == 0 {
					first[i] = time.Since(start)
				}
				return nil
			})
		}
	}, func(ctx context.Context, r *rig) {
		both := []*holdings{{held: map[string]bool{}}, {held: map[string]bool{}}}
		r.over(both[0].over(r.store), cfg)
		for i := range types {
			r.writeCold(ctx, events(name(i), each)...)
		}
		start = time.Now()
		r.run()
		other, err := relay.New(both[1].over(r.store), r.reg, cfg)
		if err != nil {
			t.Fatal(err)
		}
		octx, stop := context.WithCancel(ctx)
		done := make(chan error)
		go func() { done <- other.Run(octx) }()
		defer func() { stop(); <-done }()
		const whole = types * each / atOnce * run
		for r.left(ctx) > 0 && time.Since(start) < 10*whole {
			pass(time.Second)
		}
		took := time.Since(start)
		if n := len(r.seen.order()); n != types*each || r.left(ctx) > 0 {
			t.Errorf("%d runs of %d events, and %d are left", n, types*each, r.left(ctx))
		}
		var latest time.Duration
		for _, d := range first {
			latest = max(latest, d)
		}
		for i, h := range both {
			if h.most > maxHeld+slack {
				t.Errorf("relay %d held %d events at once, with a bound of %d", i+1, h.most, maxHeld)
			}
			if h.most < maxHeld/10 {
				t.Errorf("relay %d held %d events at once: the test shows little of it", i+1, h.most)
			}
		}
		if latest > took/4 {
			t.Errorf("a type had its first delivery after %s, of %s in all", latest, took)
		}
	})
}
