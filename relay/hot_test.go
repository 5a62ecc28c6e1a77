package relay_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

func recordA(r *rig) {
	r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
}

// begin starts a transaction that the caller tracks and ends.
func (r *rig) begin(ctx context.Context) (context.Context, *memstore.Tx, func(error) error) {
	r.t.Helper()
	ctx, done := r.w.Track(ctx)
	tx, err := r.store.BeginTx(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	return ctx, tx, done
}

func (r *rig) writeIn(ctx context.Context, tx *memstore.Tx, e outbox.Event) {
	r.t.Helper()
	if _, err := r.w.Write(ctx, tx, e); err != nil {
		r.t.Fatal(err)
	}
}

// Scenario 1.
func TestARollbackDeliversNothing(t *testing.T) {
	bubble(t, relay.Config{}, recordA, func(ctx context.Context, r *rig) {
		r.run()
		err := r.w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
			r.writeIn(ctx, tx, event("A", 1))
			return errBoom
		})
		if !errors.Is(err, errBoom) {
			t.Errorf("error %v", err)
		}
		pass(time.Minute)
		if n := len(r.seen.order()); n != 0 {
			t.Errorf("delivered %d", n)
		}
		r.wantStats(ctx, 0, 0, 0, 0)
	})
}

// Scenario 64.
func TestATransactionThatIsNeverReportedIsDeliveredAfterItsHeadStart(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, recordA, func(ctx context.Context, r *rig) {
		r.run()
		tctx, tx, _ := r.begin(ctx)
		r.writeIn(tctx, tx, event("A", 1))
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		pass(4900 * time.Millisecond)
		if n := r.seen.times("A-00001"); n != 0 {
			t.Errorf("delivered %d times during the head start", n)
		}
		pass(2 * time.Second)
		if n := r.seen.times("A-00001"); n != 1 {
			t.Errorf("delivered %d times", n)
		}
	})
}

// Scenario 65.
func TestATransactionThatOutlivesItsRelayIsDeliveredByTheNext(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, recordA, func(ctx context.Context, r *rig) {
		r.run()
		tctx, tx, done := r.begin(ctx)
		r.writeIn(tctx, tx, event("A", 1))
		r.stop()
		if err := done(tx.Commit()); err != nil {
			t.Fatal(err)
		}
		r.run()
		pass(10 * time.Second)
		if n := r.seen.times("A-00001"); n != 1 {
			t.Errorf("delivered %d times", n)
		}
	})
}

// Scenario 66.
func TestATransactionLongerThanTheHeadStartIsDeliveredOnce(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, recordA, func(ctx context.Context, r *rig) {
		r.run()
		for _, open := range []time.Duration{3500 * time.Millisecond, 4900 * time.Millisecond, 5100 * time.Millisecond, 20 * time.Second} {
			tctx, tx, done := r.begin(ctx)
			e := event("A", int(open.Milliseconds()))
			r.writeIn(tctx, tx, e)
			pass(open)
			if err := done(tx.Commit()); err != nil {
				t.Fatal(err)
			}
			pass(20 * time.Second)
			if n := r.seen.times(e.ID); n != 1 {
				t.Errorf("open for %s: delivered %d times", open, n)
			}
		}
	})
}

// Scenarios 67 and 81.
func TestASavepointThatIsRolledBackIsNeverDelivered(t *testing.T) {
	var payload sync.Map
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			payload.Store(e.ID, string(e.JSON))
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		tctx, tx, done := r.begin(ctx)
		r.writeIn(tctx, tx, event("A", 1))
		if err := tx.Savepoint("s"); err != nil {
			t.Fatal(err)
		}
		r.writeIn(tctx, tx, event("A", 2))
		r.writeIn(tctx, tx, event("A", 3))
		if err := tx.RollbackTo("s"); err != nil {
			t.Fatal(err)
		}
		again := event("A", 3)
		again.JSON = []byte(`"the committed one"`)
		r.writeIn(tctx, tx, again)
		if err := done(tx.Commit()); err != nil {
			t.Fatal(err)
		}
		pass(30 * time.Second)
		if r.seen.times("A-00001") != 1 || r.seen.times("A-00002") != 0 || r.seen.times("A-00003") != 1 {
			t.Errorf("delivered %v", r.seen.order())
		}
		if got, _ := payload.Load("A-00003"); got != `"the committed one"` {
			t.Errorf("payload %s", got)
		}
		r.wantStats(ctx, 0, 0, 2, 0)
	})
}

// Rule 6: a queued one whose margin is gone is claimed by id.
func TestHotEventsThatWaitLongerThanTheirHeadStartAreDeliveredOnce(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			<-time.After(3 * time.Second)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, events("A", 20)...)
		pass(2 * time.Minute)
		if n := len(r.seen.order()); n != 20 {
			t.Errorf("%d runs of 20 events", n)
		}
		r.wantStats(ctx, 0, 0, 20, 0)
	})
}

// Scenario 77.
func TestAPayloadThatIsReusedOrChangedIsNobodyElsesAffair(t *testing.T) {
	var second string
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 {
				copy(e.JSON, `"broken`)
				e.Headers["k"] = "broken"
				return errBoom
			}
			second = string(e.JSON) + e.Headers["k"]
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		body, h := []byte(`"fine body"`), map[string]string{"k": "v"}
		err := r.w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
			r.writeIn(ctx, tx, outbox.Event{ID: "x", Type: "A", JSON: body, Headers: h})
			copy(body, `"reused!!!"`)
			h["k"] = "reused"
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		pass(10 * time.Second)
		if second != `"fine body"v` {
			t.Errorf("the second attempt got %s", second)
		}
	})
}
