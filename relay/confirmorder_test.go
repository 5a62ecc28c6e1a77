package relay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// released tells of a transaction as PostgreSQL does: an event with the header
// savepoint was written in one that is released.
type released struct{ *memstore.Store }

func (s released) Insert(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	got, err := s.Store.Insert(ctx, tx, req)
	for i := range got {
		got[i].TopLevel = req.Events[i].Headers["savepoint"] == ""
	}
	return got, err
}

func TestAnEventAfterASavepointWaitsForTheOneInIt(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, recordA, func(ctx context.Context, r *rig) {
		r.w = outbox.NewWriter(released{r.store}, r.relay.HotPath(), outbox.WithLogger(quietLog()))
		r.run()
		first, second := ofAggregate("o", event("A", 1))[0], ofAggregate("o", event("A", 2))[0]
		first.Headers = map[string]string{"savepoint": "s"}
		r.write(ctx, first, second)
		pass(10 * time.Second)
		if got := r.seen.order(); !slices.Equal(got, []string{"A-00001", "A-00002"}) {
			t.Errorf("delivered %v", got)
		}
	})
}

func TestALaterTransactionWaitsForAConfirmation(t *testing.T) {
	bubble(t, relay.Config{}, recordA, func(ctx context.Context, r *rig) {
		f := r.flaky(relay.Config{Lane: relay.LaneConfig{Interval: time.Second}})
		f.Plan(func(op outboxtest.Op, _ int) outboxtest.Fault {
			if op == outboxtest.OpConfirm {
				return outboxtest.Late // a second
			}
			return outboxtest.None
		})
		r.run()
		tctx, tx, done := r.begin(ctx)
		if err := tx.Savepoint("s"); err != nil {
			t.Fatal(err)
		}
		r.writeIn(tctx, tx, ofAggregate("o", event("A", 1))[0])
		if err := done(tx.Commit()); err != nil {
			t.Fatal(err)
		}
		pass(100 * time.Millisecond)
		r.write(ctx, ofAggregate("o", event("A", 2))...)
		pass(10 * time.Second)
		if got := r.seen.order(); !slices.Equal(got, []string{"A-00001", "A-00002"}) {
			t.Errorf("delivered %v", got)
		}
	})
}
