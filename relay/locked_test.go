package relay_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// lockedStore has a row that somebody keeps locked: statements that name it
// wait, as long as their own timeout allows.
type lockedStore struct {
	outbox.Store
	row    string
	locked atomic.Bool
}

func (s *lockedStore) await(ctx context.Context, named bool) error {
	if !named || !s.locked.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	<-ctx.Done()
	return fmt.Errorf("%w: locked: %w", outbox.ErrStoreDown, ctx.Err())
}

func (s *lockedStore) Settle(ctx context.Context, owner outbox.Owner, outcomes []outbox.Outcome, keep bool) ([]outbox.Held, error) {
	if err := s.await(ctx, slices.ContainsFunc(outcomes, func(o outbox.Outcome) bool { return o.EventID == s.row })); err != nil {
		return nil, err
	}
	return s.Store.Settle(ctx, owner, outcomes, keep)
}

func (s *lockedStore) Renew(ctx context.Context, owner outbox.Owner, lease time.Duration, rows []outbox.Renewal) ([]outbox.Held, error) {
	if err := s.await(ctx, slices.ContainsFunc(rows, func(r outbox.Renewal) bool { return r.EventID == s.row })); err != nil {
		return nil, err
	}
	return s.Store.Renew(ctx, owner, lease, rows)
}

func TestARowThatSomebodyHasLockedHoldsUpNoOther(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		s := &lockedStore{Store: r.store, row: "A-00003"}
		s.locked.Store(true)
		r.over(s, everySecond)
		r.writeCold(ctx, events("A", 100)...)
		r.run()
		pass(6 * time.Second)
		r.writeCold(ctx, events("B", 100)...)
		pass(2 * time.Second)
		if n := r.stats(ctx).Done.N; n < 100 {
			t.Errorf("%d events are done while a row of an earlier batch is locked, expected those of the other type at least", n)
		}
		pass(time.Minute)
		r.wantStats(ctx, 0, 1, 199, 0)
		s.locked.Store(false)
		pass(10 * time.Second)
		r.wantStats(ctx, 0, 0, 200, 0)
		if n := len(r.seen.order()); n != 200 {
			t.Errorf("%d runs of 200 events", n)
		}
	})
}

func TestTheLeasesOfOthersAreRenewedWhileARowIsLocked(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 50, Interval: time.Second, Timeout: 5 * time.Minute}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, _ outbox.Event) error {
			<-ctx.Done()
			return ctx.Err()
		})
	}, func(ctx context.Context, r *rig) {
		s := &lockedStore{Store: r.store, row: "A-00003"}
		s.locked.Store(true)
		r.over(s, cfg)
		r.writeCold(ctx, events("A", 50)...)
		r.run()
		for range 100 { // another relay looks for what it may take
			pass(time.Second)
			rows, err := r.store.Claim(ctx, outbox.ClaimRequest{Owner: "other", Lease: time.Hour, Wants: []outbox.Want{{Lane: "A", Rows: 100}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range rows {
				if c.EventID != s.row { // which a database would not give
					t.Fatalf("the lease of %s has ended", c.EventID)
				}
			}
		}
	})
}
