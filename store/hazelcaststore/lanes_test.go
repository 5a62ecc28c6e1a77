package hazelcaststore

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

// Somebody holds the key of an entry that has to be finished.
func TestWhatCannotBeMendedHidesNoLane(t *testing.T) {
	s := fresh(t, Config{CallTimeout: time.Second, OpenLimit: time.Millisecond})
	tx := staged(t, s, 1)
	writeAll(t, newStore(t, connect(t), Config{Name: s.cfg.Name}), outbox.Event{Type: "Other", JSON: []byte(`1`)})
	later := newStore(t, connect(t), s.cfg)
	inMaps(t, later, func(_ context.Context, m *tables) error {
		later.clock.low += micros(time.Hour)
		later.clock.up += micros(time.Hour)
		ctx := m.events.m.NewLockContext(t.Context())
		t.Cleanup(func() { _ = m.events.m.ForceUnlock(context.Background(), tx.staged[0].ID) })
		return m.events.m.Lock(ctx, tx.staged[0].ID)
	})
	if lanes, err := later.Lanes(t.Context(), "", 10); err != nil || len(lanes) != 1 || lanes[0].Lane != "Other" {
		t.Errorf("lanes %v, error %v, expected Other", lanes, err)
	}
}
