package outbox_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hook admits everything and notes what it is told.
type hook struct {
	headStart time.Duration

	mu        sync.Mutex
	admitted  int
	committed []outbox.Written
	dropped   []outbox.Written
}

func (h *hook) Admit(es []outbox.Event, _ time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.admitted += len(es)
	return h.headStart
}

func (h *hook) Committed(ws []outbox.Written) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.committed = append(h.committed, ws...)
}

func (h *hook) Dropped(ws []outbox.Written) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dropped = append(h.dropped, ws...)
}

func ids(ws []outbox.Written) []string {
	out := []string{}
	for _, w := range ws {
		out = append(out, w.Event.ID)
	}
	return out
}

func newStore() *memstore.Store { return memstore.New(memstore.Config{}) }

func valid() outbox.Event { return outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"id":1}`)} }

func named(id string) outbox.Event {
	e := valid()
	e.ID = id
	return e
}

// write commits events with w.
func write(t *testing.T, w *outbox.Writer[*memstore.Tx], es ...outbox.Event) ([]string, error) {
	t.Helper()
	var written []string
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) (err error) {
		written, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	return written, err
}

// stored claims all events of those types.
func stored(t *testing.T, s *memstore.Store, types ...string) []outbox.Event {
	t.Helper()
	if len(types) == 0 {
		types = []string{"OrderPlaced"}
	}
	req := driver.ClaimRequest{Owner: "test", Lease: time.Hour}
	for _, typ := range types {
		req.Wants = append(req.Wants, driver.Want{Lane: typ, Rows: 1_000_000})
	}
	cs, err := s.Claim(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	es := make([]outbox.Event, len(cs))
	for i, c := range cs {
		es[i] = c.Event
	}
	return es
}
