package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

func TestARowThatSomebodyHasLockedHoldsUpNoOther(t *testing.T) {
	var release func()
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00003" {
				release = r.store.LockRow(e.ID) // claimed, and not settled yet
			}
			return nil
		})
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 100)...)
		r.run()
		pass(6 * time.Second)
		r.writeCold(ctx, events("B", 100)...)
		pass(2 * time.Second)
		if n := r.stats(ctx).Done.N; n < 100 {
			t.Errorf("%d events are done while a row of an earlier batch is locked, expected those of the other type at least", n)
		}
		pass(time.Minute)
		r.wantStats(ctx, 1, 0, 199, 0) // its lease cannot be renewed, and nobody can claim it
		release()
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
		r.writeCold(ctx, events("A", 50)...)
		r.run()
		r.store.LockRow("A-00003")
		for range 100 { // another relay looks for what it may take
			pass(time.Second)
			rows, err := r.store.Claim(ctx, driver.ClaimRequest{Owner: "other", Lease: time.Hour, Wants: []driver.Want{{Lane: "A", Rows: 100}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range rows {
				t.Fatalf("the lease of %s has ended", c.EventID)
			}
		}
	})
}
