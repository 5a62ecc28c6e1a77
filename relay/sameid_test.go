package relay_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// Two requests write the same id at once, in real time. One wins, and what it
// wrote is what has to be delivered.
func TestTwoWritersOfOneIDConfuseNobody(t *testing.T) {
	for _, size := range []int{10_000, 1 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) { twoWriters(t, size, 100) })
	}
}

func twoWriters(t *testing.T, size, ids int) {
	store, reg := memstore.New(memstore.Config{}), outbox.NewRegistry()
	var mu sync.Mutex
	got, won := map[string]byte{}, map[string]byte{}
	note := func(in map[string]byte, id string, c byte) {
		mu.Lock()
		defer mu.Unlock()
		in[id] = c
	}
	reg.Handle("A", func(_ context.Context, e outbox.Event) error {
		note(got, e.ID, e.Bytes[0])
		return nil
	})
	rel, err := relay.New(store, reg, relay.Config{Logger: quietLog()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { _ = rel.Run(ctx) })
	t.Cleanup(func() { cancel(); work.Wait() })
	w := outbox.NewWriter(store, rel.HotPath())
	for n := range ids {
		var both sync.WaitGroup
		for _, c := range []byte("ab") {
			both.Go(func() {
				id := fmt.Sprint("id-", n)
				payload := bytes.Repeat([]byte{c}, size)
				err := w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
					_, err := w.Write(ctx, tx, outbox.Event{Type: "A", ID: id, Bytes: payload})
					return err
				})
				if err == nil {
					note(won, id, c)
				}
			})
		}
		both.Wait()
	}
	await.Until(t, "all are delivered", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(got) == ids
	})
	for id, c := range won {
		if got[id] != c {
			t.Errorf("%s came with the content of the transaction that was rolled back", id)
		}
	}
}
