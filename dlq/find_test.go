package dlq_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/store/memstore"
)

// thousands is a store of 6000 events of which six have the same payload.
func thousands(t *testing.T) *memstore.Store {
	t.Helper()
	store := memstore.New(memstore.Config{})
	w := outbox.NewWriter(store)
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		for i := range 6000 {
			e := outbox.Event{Type: "order-placed", AggregateType: "Order", AggregateID: fmt.Sprint(i % 200), JSON: fmt.Appendf(nil, `{"n":%d}`, i%1000)}
			if _, err := w.Write(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestLettersAreFoundByTheirPayloadInPages(t *testing.T) {
	store := thousands(t)
	memkit.Settle(t, store, "order-placed", driver.Outcome{Kind: driver.Dead, Attempts: 3, Error: "refused"}, true)
	m, err := dlq.ParsePayloadMatch("$.n=7")
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{1, 2, 100} {
		found, pages := 0, 0
		for after := (*driver.DeadCursor)(nil); ; pages++ {
			ls, next, err := dlq.Find(t.Context(), store, driver.DeadFilter{}, m, after, limit)
			if err != nil || len(ls) > limit {
				t.Fatalf("%d letters, error %v", len(ls), err)
			}
			if found += len(ls); next == nil {
				break
			}
			after = next
		}
		if found != 6 || pages < 2 {
			t.Errorf("found %d in %d pages of %d, want 6", found, pages, limit)
		}
	}
	if n, err := dlq.CountMatching(t.Context(), store, driver.DeadFilter{}, m); err != nil || !n.More || n.N < 2 || n.N > 3 {
		t.Errorf("%+v, error %v: it reads 2500 of 6000", n, err)
	}
}

func TestEventsAreFoundByTheirPayloadInPages(t *testing.T) {
	store := thousands(t)
	m, err := dlq.ParsePayloadMatch("$.n=7")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []driver.EventFilter{{}, {Key: "7"}} {
		for _, limit := range []int{2, 100} {
			found, pages := map[string]bool{}, 0
			for after := (*driver.EventCursor)(nil); ; pages++ {
				es, next, err := dlq.FindEvents(t.Context(), store, f, dlq.EventMatch{Payload: m}, after, limit)
				if err != nil || len(es) > limit {
					t.Fatalf("%d events, error %v", len(es), err)
				}
				for _, e := range es {
					found[e.EventID] = true
				}
				if next == nil {
					break
				}
				after = next
			}
			if len(found) != 6 || pages < 2 && limit < 6 {
				t.Errorf("%+v: found %d in %d pages of %d, want 6", f, len(found), pages, limit)
			}
		}
	}
	if es, _, err := dlq.FindEvents(t.Context(), store, driver.EventFilter{}, dlq.EventMatch{}, nil, 10); err != nil || len(es) != 10 {
		t.Errorf("%d events without a condition, error %v", len(es), err)
	}
}

// sparse counts how often it is asked for events, and finds one each time.
type sparse struct {
	driver.EventStore
	asked int
}

func (s *sparse) ListEvents(_ context.Context, _ driver.EventFilter, _ *driver.EventCursor, _ int) ([]driver.StoredEvent, *driver.EventCursor, error) {
	s.asked++
	return make([]driver.StoredEvent, 1), &driver.EventCursor{Seq: 1}, nil
}

func TestAFilterThatFindsLittleIsAskedOncePerPage(t *testing.T) {
	m, err := dlq.ParsePayloadMatch("$.n=7")
	if err != nil {
		t.Fatal(err)
	}
	s := &sparse{}
	es, next, err := dlq.FindEvents(t.Context(), s, driver.EventFilter{Key: "7"}, dlq.EventMatch{Payload: m}, nil, 50)
	if err != nil || len(es) != 0 || next == nil || s.asked != 1 {
		t.Errorf("%d events, next %v, error %v, asked %d times", len(es), next, err, s.asked)
	}
}
