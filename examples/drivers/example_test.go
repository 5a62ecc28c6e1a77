package drivers_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/drivers/filesink"
	"github.com/sendoff-go/outbox/examples/drivers/kvstore"
	"github.com/sendoff-go/outbox/relay"
)

// The two examples at work: a store and a sink that package relay has never heard
// of.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "outbox-drivers-")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	store, err := kvstore.Open(filepath.Join(dir, "db.json"))
	if err != nil {
		log.Fatal(err)
	}
	sink, err := filesink.New(filesink.Config{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	reg := outbox.NewRegistry()
	reg.Route("OrderPlaced", sink, outbox.To("orders"))
	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		log.Fatal(err)
	}

	w := outbox.NewWriter(store, r.HotPath())
	err = w.InTx(ctx, func(ctx context.Context, tx *kvstore.Tx) error {
		if err := tx.Set("order:4711", "placed"); err != nil {
			return err
		}
		_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", AggregateID: "4711", JSON: []byte(`{"total":12.5}`)})
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := r.RunOnce(ctx); err != nil {
		log.Fatal(err)
	}

	text, err := os.ReadFile(filepath.Join(dir, "orders.jsonl"))
	if err != nil {
		log.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		m, key, err := filesink.Message(line)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.EventType, key, string(m.Payload))
	}
	// Output: OrderPlaced 4711 {"total":12.5}
}
