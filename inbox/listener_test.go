package inbox_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// The relay takes the delivery for a failure and repeats it; the effect was
// committed.
func TestAnEventThatARelayRepeatsHasItsEffectOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New(memstore.Config{})
		consumer, err := inbox.New(store, inbox.Config{Group: "billing"})
		if err != nil {
			t.Fatal(err)
		}
		effects, deliveries := 0, 0
		once := consumer.Listener(func(_ context.Context, tx *memstore.Tx, e outbox.Event) error {
			effects++
			return tx.Put("invoice", string(e.JSON))
		})
		reg := outbox.NewRegistry()
		reg.Handle("OrderPlaced", func(ctx context.Context, e outbox.Event) error {
			deliveries++
			err := once(ctx, e)
			if deliveries < 3 {
				return errors.Join(err, errors.New("the answer got lost"))
			}
			return err
		})
		r, err := relay.New(store, reg, relay.Config{Logger: quiet()})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		w := outbox.NewWriter(store, r.HotPath())
		if err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
			_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte("1")})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Minute)
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if deliveries != 3 || effects != 1 {
			t.Errorf("%d deliveries, %d effects: expected 3 and 1", deliveries, effects)
		}
	})
}
