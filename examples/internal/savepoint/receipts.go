package savepoint

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
)

const lane = "Tested"

// receipts is a listener that notes what it gets.
type receipts struct {
	arrived chan struct{} // nil: nobody waits

	mu       sync.Mutex
	all, hot []string
}

func (r *receipts) registry() *outbox.Registry {
	reg := outbox.NewRegistry()
	reg.Handle(lane, r.handle)
	return reg
}

func (r *receipts) handle(ctx context.Context, e outbox.Event) error {
	delivery, _ := outbox.DeliveryFrom(ctx)
	text := e.ID + " " + string(e.JSON)
	r.mu.Lock()
	r.all = append(r.all, text)
	if delivery.Hot {
		r.hot = append(r.hot, text)
	}
	r.mu.Unlock()
	signal(r.arrived) // a nil channel takes nothing
	return nil
}

func (r *receipts) check(t *testing.T, want []string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	got := slices.Sorted(slices.Values(r.all))
	if !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("delivered %q, want %q, each once", got, want)
	}
}
