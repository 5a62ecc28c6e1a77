package relay_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestTypesOfOneAggregateRunInTheOrderOfWriting(t *testing.T) {
	const orders = 10 // few enough for the first claim, which names all lanes
	synctest.Test(t, func(t *testing.T) {
		store, reg := memstore.New(memstore.Config{}), outbox.NewRegistry()
		j := relaykit.NewJournal(reg, orders)
		w := outbox.NewWriter(store)
		err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
			_, err := w.WriteAll(ctx, tx, relaykit.Lives(orders)...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		cfg := relay.Config{Logger: quietLog(), Lane: relay.LaneConfig{Interval: time.Hour}}
		r, err := relay.New(store, reg, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.RunOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
		j.Check(t, orders)
	})
}
