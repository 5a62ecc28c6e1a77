package relay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestWhatAfterCommitWritesComesAfterWhatWasCommitted(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		var w *outbox.Writer[*memstore.Tx]
		write := func(n int) {
			e := event("A", n)
			e.AggregateID = "x"
			err := w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
				_, err := w.Write(ctx, tx, e)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
		w = outbox.NewWriter(r.store, r.relay.HotPath(), outbox.WithWriteHooks(outbox.WriteHook{AfterCommit: func(es []outbox.Event) {
			if es[0].ID == "A-00001" {
				write(2)
			}
		}}))
		r.run()
		write(1)
		pass(20 * time.Second)
		if got, want := r.seen.order(), []string{"A-00001", "A-00002"}; !slices.Equal(got, want) {
			t.Errorf("delivered %v, expected %v", got, want)
		}
	})
}
