package relay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// recordBoth notes the events of two types.
func recordBoth(r *rig) {
	for _, typ := range []string{"A", "B"} {
		r.reg.Handle(typ, func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}
}

// The transaction is open until the head start of some of its events is over. The
// others are then left to the poller too, which polls each lane at times of its own.
func TestTheEventsOfALongTransactionStayInOrder(t *testing.T) {
	es := ofAggregate("o", event("A", 0), event("A", 1), event("B", 2), event("A", 3))
	want := []string{"A-00000", "A-00001", "B-00002", "A-00003"}
	for _, open := range []time.Duration{3500 * time.Millisecond, 5500 * time.Millisecond, 7500 * time.Millisecond, 20 * time.Second} {
		for offset := range 10 {
			bubble(t, relay.Config{}, recordBoth, func(ctx context.Context, r *rig) {
				r.run()
				pass(time.Duration(offset) * 500 * time.Millisecond)
				r.write(ctx, outbox.Event{Type: "B", ID: "other", JSON: []byte(`1`)}) // its lane's next poll is at another time
				pass(time.Second)
				tctx, tx, done := r.begin(ctx)
				for _, e := range es {
					r.writeIn(tctx, tx, e)
					pass(time.Second)
				}
				pass(open - 4*time.Second)
				if err := done(tx.Commit()); err != nil {
					r.t.Fatal(err)
				}
				committed := time.Now()
				for len(r.seen.order()) < len(want)+1 && time.Since(committed) < time.Minute {
					pass(10 * time.Millisecond)
				}
				got := slices.DeleteFunc(r.seen.order(), func(id string) bool { return id == "other" })
				if took := time.Since(committed); !slices.Equal(got, want) || took > time.Second {
					t.Errorf("open for %s: %v after %s", open, got, took)
				}
			})
		}
	}
}

// What is promised is the order of what a relay knows: an event that is not yet
// committed keeps nobody waiting.
func TestAnOpenTransactionIsOvertaken(t *testing.T) {
	bubble(t, relay.Config{}, recordBoth, func(ctx context.Context, r *rig) {
		r.run()
		es := ofAggregate("o", event("A", 0), event("A", 1), event("A", 2))
		r.write(ctx, es[0])
		tctx, tx, done := r.begin(ctx)
		r.writeIn(tctx, tx, es[1])
		r.write(ctx, es[2])
		pass(time.Second)
		if err := done(tx.Commit()); err != nil {
			r.t.Fatal(err)
		}
		pass(10 * time.Second)
		if got := r.seen.order(); !slices.Equal(got, []string{"A-00000", "A-00002", "A-00001"}) {
			t.Errorf("delivered %v", got)
		}
	})
}
