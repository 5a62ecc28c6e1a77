package hazelcaststore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
)

// Somebody holds the key of an entry that has to be finished.
func TestWhatCannotBeMendedHidesNoLane(t *testing.T) {
	s := fresh(t, Config{OpenLimit: time.Millisecond})
	tx := staged(t, s, 1)
	writeAll(t, newStore(t, connect(t), Config{Name: s.cfg.Name, CallTimeout: unhurried}), outbox.Event{Type: "Other", JSON: []byte(`1`)})
	inMaps(t, s, func(_ context.Context, m *tables) error {
		ctx := m.events.m.NewLockContext(t.Context())
		t.Cleanup(func() { _ = m.events.m.ForceUnlock(context.Background(), tx.staged[0].ID) })
		return m.events.m.Lock(ctx, tx.staged[0].ID)
	})
	// A call gives half of its time to what it cannot mend. On a machine that stands
	// still for the other half it is an outage, and another process asks.
	await.Until(t, "the lanes are listed in time", func() bool {
		later := newStore(t, connect(t), Config{Name: s.cfg.Name, CallTimeout: time.Second, OpenLimit: time.Millisecond})
		err := later.call(t.Context(), func(context.Context, *tables) error {
			later.clock.low += micros(time.Hour)
			later.clock.up += micros(time.Hour)
			return nil
		})
		var lanes []driver.WaitingLane
		if err == nil {
			lanes, err = later.Lanes(t.Context(), "", 10)
		}
		if errors.Is(err, outbox.ErrStoreDown) {
			t.Log(err)
			return false
		}
		if err != nil || len(lanes) != 1 || lanes[0].Lane != "Other" {
			t.Fatalf("lanes %v, error %v, expected Other", lanes, err)
		}
		return true
	})
}
