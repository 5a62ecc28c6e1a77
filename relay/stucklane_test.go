package relay_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// ofAggregate gives events a key each of which runs one at a time.
func ofAggregate(id string, es ...outbox.Event) []outbox.Event {
	for i := range es {
		es[i].AggregateType, es[i].AggregateID = "Order", id
	}
	return es
}

// stuckAt never ends the run of one event, whatever its context says.
func stuckAt(id string) func(r *rig) {
	return func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == id {
				<-r.gate
			}
			return nil
		})
	}
}

func TestAStuckListenerDoesNotStopOtherAggregatesOfItsType(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: time.Minute}}
	bubble(t, cfg, stuckAt("A-00000"), func(ctx context.Context, r *rig) {
		r.writeCold(ctx, ofAggregate("stuck", events("A", 60)...)...)
		r.run()
		defer close(r.gate)
		pass(2 * time.Minute)
		r.writeCold(ctx, ofAggregate("other", event("A", 100))...)
		pass(time.Hour)
		if n := r.seen.times("A-00100"); n != 1 {
			t.Errorf("an event of another aggregate was delivered %d times in an hour with three of four workers idle", n)
		}
		if n := len(r.seen.order()); n != 2 {
			t.Errorf("%d runs: those behind the stuck one are to wait, and it does not run beside itself", n)
		}
	})
}

// Before its time is over, a run is only slow.
func TestASlowRunLeavesItsLaneRoomForOtherAggregates(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: time.Hour}}
	bubble(t, cfg, stuckAt("A-00000"), func(ctx context.Context, r *rig) {
		r.writeCold(ctx, ofAggregate("slow", events("A", 1000)...)...)
		r.writeCold(ctx, ofAggregate("other", event("A", 2000))...)
		r.run()
		pass(10 * time.Second)
		if n := r.seen.times("A-02000"); n != 1 {
			t.Errorf("an event of another aggregate was delivered %d times in ten seconds with three of four workers idle", n)
		}
		close(r.gate)
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 1001, 0)
	})
}

// However many wait behind the stuck one, and whichever way the others come.
func TestOtherAggregatesKeepTheirPaceBesideAStuckOne(t *testing.T) {
	const behind, others = 1000, 120
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: time.Minute}}
	bubble(t, cfg, stuckAt("A-00000"), func(ctx context.Context, r *rig) {
		r.writeCold(ctx, ofAggregate("stuck", events("A", behind+1)...)...)
		r.run()
		open := sync.OnceFunc(func() { close(r.gate) })
		defer open()
		pass(2 * time.Minute)
		for i := range others {
			e := ofAggregate(fmt.Sprint("other-", i), event("A", 10_000+i))
			if i%2 == 0 {
				r.writeCold(ctx, e...)
			} else {
				r.write(ctx, e...)
			}
			pass(2 * time.Second) // the interval, and a second
			if n := r.seen.times(e[0].ID); n != 1 {
				t.Fatalf("event %d of another aggregate was delivered %d times within two seconds", i, n)
			}
		}
		open() // it ends after all: the others of its aggregate follow
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, behind+1+others, 0)
	})
}
