//go:build !race

package relay_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// A round over a large backlog must not remember each event that it delivered:
// such an event does not come again.
func TestWhatARoundRemembersDoesNotGrowWithDeliveries(t *testing.T) {
	// So many that what other tests allocate meanwhile is small beside the bound.
	const batch, batches, warm, ahead = 1000, 300, 10, 1500
	synctest.Test(t, func(t *testing.T) {
		store, reg := memstore.New(memstore.Config{}), outbox.NewRegistry()
		w := outbox.NewWriter(store)
		written, delivered := 0, 0
		var before, after runtime.MemStats
		write := func(ctx context.Context) error { // a little at a time, so that the store stays small
			es := make([]outbox.Event, batch)
			for i := range es {
				es[i] = outbox.Event{Type: "A", ID: fmt.Sprintf("event-number-%020d", written+i), JSON: []byte(`{}`)}
			}
			written += batch
			return w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
				_, err := w.WriteAll(ctx, tx, es...)
				return err
			})
		}
		reg.Handle("A", func(ctx context.Context, _ outbox.Event) error {
			delivered++
			switch {
			case delivered == warm*batch:
				runtime.GC()
				runtime.ReadMemStats(&before)
			case delivered == batches*batch:
				runtime.GC()
				runtime.ReadMemStats(&after)
			}
			if delivered == written-ahead && written < batches*batch { // before a claim finds nothing
				return write(ctx)
			}
			return nil
		})
		for range 2 {
			if err := write(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		r, err := relay.New(store, reg, relay.Config{
			Delivered: relay.DeleteAtSettle, Logger: quietLog(), Lane: relay.LaneConfig{Workers: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		report, err := r.RunOnce(t.Context())
		if err != nil || report.Delivered != batch*batches {
			t.Fatalf("report %+v, %v", report, err)
		}
		grown := int64(after.HeapAlloc) - int64(before.HeapAlloc)
		t.Logf("%d bytes more after %d deliveries", grown, (batches-warm)*batch)
		if grown > (batches-warm)*batch*20 { // an id alone has more
			t.Errorf("the memory grew by %d bytes over %d deliveries", grown, (batches-warm)*batch)
		}
	})
}
