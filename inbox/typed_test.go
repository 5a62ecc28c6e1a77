package inbox_test

import (
	"context"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/sink/memsink"
	"github.com/sendoff-go/outbox/store/memstore"
)

type typedOrder struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

// The way of a typed event from the writer through a sink to a consumer.
func TestADefinitionDecodesWhatTheInboxReceived(t *testing.T) {
	placed := outbox.Define[typedOrder]("Order", "OrderPlaced")
	store := memstore.New(memstore.Config{})
	sink, err := memsink.New(memsink.Config{Capacity: 1})
	if err != nil {
		t.Fatal(err)
	}
	reg := outbox.NewRegistry()
	reg.Route("*", sink)
	r, err := relay.New(store, reg, relay.Config{Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	w := outbox.NewWriter(store)
	want := typedOrder{"4711", 12}
	if err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.Write(ctx, tx, placed.New("4711", want))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if report, err := r.RunOnce(t.Context()); err != nil || report.Delivered != 1 {
		t.Fatalf("%+v, error %v", report, err)
	}
	message := memsink.Message(<-sink.Messages())

	consumer, err := inbox.New(store, inbox.Config{Group: "billing"})
	if err != nil {
		t.Fatal(err)
	}
	effects := 0
	for range 2 { // a broker may deliver it again
		if err := consumer.ConsumeBatch(t.Context(), []outbox.Received{message}, func(_ context.Context, _ *memstore.Tx, fresh []outbox.Received) error {
			for _, m := range fresh {
				effects++
				if got, err := placed.DecodeReceived(m); err != nil || got != want || m.EventType != placed.Type() {
					t.Errorf("decoded %+v of a %s, error %v, want %+v", got, m.EventType, err, want)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if effects != 1 {
		t.Errorf("%d effects, want 1", effects)
	}
}
