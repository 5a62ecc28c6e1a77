package relay_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// beside runs another relay with the same listeners, which takes whatever the
// first one does not hold.
func (r *rig) beside(ctx context.Context, cfg relay.Config) {
	r.t.Helper()
	cfg.Logger = quietLog()
	other, err := relay.New(r.store, r.reg, cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- other.Run(ctx) }()
	r.t.Cleanup(func() { stop(); <-done })
}

// wantOnce fails for every event that ran more often than once, but for one.
func (r *rig) wantOnce(but string) {
	r.t.Helper()
	r.seen.mu.Lock()
	defer r.seen.mu.Unlock()
	for id, n := range r.seen.n {
		if n > 1 && id != but {
			r.t.Errorf("%s ran %d times", id, n)
		}
	}
}

var fifty = relay.Config{Lane: relay.LaneConfig{Workers: 50, Interval: time.Second}}

// All outcomes are in one statement with that of the locked row.
func TestOutcomesBesideThatOfALockedRowAreWritten(t *testing.T) {
	const locked = "A-00025"
	bubble(t, fifty, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			<-r.gate
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		s := r.lockable()
		r.over(s, fifty)
		r.writeCold(ctx, events("A", 50)...)
		r.run()
		r.beside(ctx, fifty)
		settled()
		release := r.lock(s, locked)
		close(r.gate)
		pass(5 * time.Second)
		if n := r.stats(ctx).Done.N; n != 49 {
			t.Errorf("%d of 49 outcomes are written within five seconds", n)
		}
		pass(time.Minute)
		r.wantOnce(locked)
		release()
		pass(10 * time.Second)
		r.wantOnce(locked)
		r.wantStats(ctx, 0, 0, 50, 0)
	})
}

// A statement may take longer than a lease for other reasons, too.
func TestRowsThatAreBeingSettledForLongAreRenewed(t *testing.T) {
	bubble(t, fifty, recordA, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			select {
			case <-time.After(40 * time.Second):
			case <-ctx.Done():
			}
			return r.store.Settle(ctx, owner, outcomes, keep)
		}
		r.over(s, fifty)
		r.writeCold(ctx, events("A", 50)...)
		r.run()
		r.beside(ctx, fifty)
		pass(2 * time.Minute)
		r.wantOnce("")
		r.wantStats(ctx, 0, 0, 50, 0)
	})
}

// They are longer than their head start and shorter than a lease.
func TestHotRunsBesideALockedRowAreRenewedInTime(t *testing.T) {
	const locked = "A-00025"
	bubble(t, fifty, func(r *rig) {
		for _, typ := range []string{"A", "B"} {
			r.reg.Handle(typ, func(ctx context.Context, e outbox.Event) error {
				if r.seen.note(e); e.Type == "B" {
					<-time.After(8 * time.Second)
					return nil
				}
				select {
				case <-r.gate:
				case <-ctx.Done():
				}
				return ctx.Err()
			})
		}
	}, func(ctx context.Context, r *rig) {
		s := r.lockable()
		r.over(s, fifty)
		r.writeCold(ctx, events("A", 50)...)
		r.run()
		r.beside(ctx, fifty)
		settled()
		release := r.lock(s, locked)
		for i := range 60 { // in every phase of the renewals
			r.write(ctx, event("B", i))
			pass(730 * time.Millisecond)
		}
		pass(10 * time.Second)
		r.wantOnce(locked)
		release()
		close(r.gate)
	})
}

// Waiting hot events are claimed by name before their head start ends. That
// this does not come back must not keep the leases of running ones from being
// renewed.
func TestClaimsByNameThatHangDoNotKeepRenewalsBack(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 2, Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			if r.seen.note(e) > 1 || e.ID > "A-00001" {
				return nil
			}
			select {
			case <-time.After(40 * time.Second):
			case <-ctx.Done():
			}
			return ctx.Err()
		})
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(cfg)
		f.Plan(func(op outboxtest.Op, _ int) outboxtest.Fault {
			if op == outboxtest.OpTake {
				return outboxtest.Hang
			}
			return outboxtest.None
		})
		r.run()
		r.beside(ctx, cfg)
		r.write(ctx, events("A", 2)...)
		settled()
		r.write(ctx, events("A", 6)[2:]...) // wait for a worker
		pass(time.Minute)
		r.wantOnce("")
		r.wantStats(ctx, 0, 0, 6, 0)
	})
}

// After a claim without an answer, what is held is renewed before the next one.
// A row that cannot be renewed must not make all lanes wait.
func TestAClaimErrorBesideALockedRowStopsNoLane(t *testing.T) {
	for _, n := range []int{1, 10} { // alone, and among others
		t.Run(fmt.Sprint(n), func(t *testing.T) { claimErrorBesideALockedRow(t, n) })
	}
}

func claimErrorBesideALockedRow(t *testing.T, held int) {
	const locked = "A-00000"
	bubble(t, fifty, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { <-r.gate; return nil })
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		s := r.lockable()
		var broken atomic.Bool
		s.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			if broken.CompareAndSwap(true, false) {
				return nil, outbox.ErrStoreDown
			}
			return r.store.Claim(ctx, req)
		}
		r.over(s, fifty)
		r.writeCold(ctx, events("A", held)...)
		r.run()
		settled()
		release := r.lock(s, locked)
		for i := range 5 {
			broken.Store(true)
			pass(3 * time.Second)
			if broken.Load() {
				t.Fatal("no claim failed")
			}
			r.writeCold(ctx, event("B", i))
			pass(3 * time.Second) // the interval, the wait for the lock, and a second
			if n := r.seen.times(event("B", i).ID); n != 1 {
				t.Errorf("an event of another lane was delivered %d times after a claim error", n)
			}
		}
		release()
		close(r.gate)
		pass(5 * time.Second)
		r.wantStats(ctx, 0, 0, int64(held)+5, 0)
	})
}
