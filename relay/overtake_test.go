package relay_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// tight has room for one hot event in lane A beside the one that runs.
var tight = relay.Config{Lane: relay.LaneConfig{Workers: 1, HotQueue: 1, Interval: time.Second}}

// gated lets A-00000 run until the gate opens, and notes all others.
func gated(r *rig) {
	for _, typ := range []string{"A", "B"} {
		r.reg.Handle(typ, func(_ context.Context, e outbox.Event) error {
			if e.ID == "A-00000" {
				<-r.gate
				return nil
			}
			r.seen.note(e)
			return nil
		})
	}
}

// fill occupies lane A's worker and its hot queue. empty makes room again.
func (r *rig) fill(ctx context.Context) (empty func()) {
	r.write(ctx, event("A", 0))
	settled()
	r.write(ctx, event("A", 1))
	return func() {
		close(r.gate)
		settled()
	}
}

func (r *rig) wantOrder(ids ...string) {
	r.t.Helper()
	got := slices.DeleteFunc(r.seen.order(), func(id string) bool { return id == "A-00001" })
	if !slices.Equal(got, ids) {
		r.t.Errorf("delivered %v, expected %v", got, ids)
	}
}

// The first is refused for a full hot queue. When the second is written there
// is room, also in its own lane if it is of another type.
func TestAHotEventDoesNotOvertakeARefusedOneOfItsKey(t *testing.T) {
	for _, second := range []string{"A", "B"} {
		first, next := ofAggregate("o", event("A", 10))[0], ofAggregate("o", event(second, 11))[0]
		t.Run("one transaction/"+second, func(t *testing.T) {
			bubble(t, tight, gated, func(ctx context.Context, r *rig) {
				r.run()
				empty := r.fill(ctx)
				tctx, tx, done := r.begin(ctx)
				r.writeIn(tctx, tx, first)
				empty()
				r.writeIn(tctx, tx, next)
				if err := done(tx.Commit()); err != nil {
					t.Fatal(err)
				}
				pass(10 * time.Second)
				r.wantOrder(first.ID, next.ID)
				r.wantStats(ctx, 0, 0, 4, 0)
			})
		})
		t.Run("two transactions/"+second, func(t *testing.T) {
			bubble(t, tight, gated, func(ctx context.Context, r *rig) {
				f := r.flaky(tight)
				r.run()
				empty := r.fill(ctx)
				f.Plan(func(op outboxtest.Op, _ int) outboxtest.Fault { // the poller takes its time
					if op == outboxtest.OpClaim {
						return outboxtest.Late
					}
					return outboxtest.None
				})
				r.write(ctx, first)
				empty()
				r.write(ctx, next)
				pass(10 * time.Second)
				r.wantOrder(first.ID, next.ID)
				r.wantStats(ctx, 0, 0, 4, 0)
			})
		})
	}
}

// Others are hot meanwhile, and the key is hot again when the poller has what
// was refused.
func TestARefusalHoldsForItsKeyAloneAndEnds(t *testing.T) {
	var hot []string
	cfg := tight
	cfg.Hooks.Delivered = func(i observe.DeliveredInfo) {
		if i.Hot {
			hot = append(hot, i.Event.ID)
		}
	}
	bubble(t, cfg, gated, func(ctx context.Context, r *rig) {
		r.run()
		empty := r.fill(ctx)
		r.write(ctx, ofAggregate("o", event("A", 10))...)
		r.write(ctx, ofAggregate("other", event("B", 11))...)
		empty()
		pass(3 * time.Second)
		r.write(ctx, ofAggregate("o", event("B", 12))...)
		pass(3 * time.Second)
		want := []string{"A-00000", "A-00001", "B-00011", "B-00012"}
		if slices.Sort(hot); !slices.Equal(hot, want) {
			t.Errorf("hot were %v, expected %v", hot, want)
		}
	})
}

// A key with many events in turns of full and empty queues keeps its order.
func TestTheOrderOfAKeyHoldsWhileTheHotQueueFillsAndEmpties(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 2, HotQueue: 3, Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			<-time.After(5 * time.Millisecond)
			r.seen.note(e)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		const keys, each = 5, 200
		for n := range each {
			for k := range keys {
				e := outbox.Event{Type: "A", ID: fmt.Sprintf("%d-%05d", k, n), AggregateType: "Order", AggregateID: fmt.Sprint(k), JSON: []byte(`{}`)}
				r.write(ctx, e)
			}
			if n%7 == 0 {
				pass(20 * time.Millisecond)
			}
		}
		pass(time.Minute)
		last := map[byte]string{}
		for _, id := range r.seen.order() {
			if id < last[id[0]] {
				t.Fatalf("%s came after %s", id, last[id[0]])
			}
			last[id[0]] = id
		}
		r.wantStats(ctx, 0, 0, keys*each, 0)
	})
}
