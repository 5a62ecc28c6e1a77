package relaytest_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/relay"
)

// Scenario 74, on databases and small: the listener manages five hundred events
// a second, and a thousand are written.
func TestAtTwiceTheCapacityOfTheListenerNothingIsDoubledOnADatabase(t *testing.T) {
	const workers, run, tick = 4, 8 * time.Millisecond, 200 * time.Millisecond
	total, perTick := 2000, 200
	if testing.Short() {
		total = 800
	}
	onDatabases(t, func(t *testing.T, h *dburl.Handle) {
		c := newCounter(total)
		var mu sync.Mutex
		written, longest, ways := map[string]time.Time{}, map[bool]time.Duration{}, map[bool]int{} // the latter by hot
		reg := outbox.NewRegistry()
		reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			d, _ := outbox.DeliveryFrom(ctx)
			mu.Lock()
			ways[d.Hot]++
			longest[d.Hot] = max(longest[d.Hot], time.Since(written[e.ID]))
			mu.Unlock()
			<-time.After(run)
			return c.Handle(ctx, e)
		})
		cfg := fast
		cfg.HeadStart, cfg.Lease = time.Hour, time.Hour // longer than a slow machine takes for all of it
		cfg.Lane = relay.LaneConfig{Workers: workers, ColdQueue: 5000, Interval: 100 * time.Millisecond}
		r, stop := runRelay(t, h, reg, cfg)
		hot, cold := h.Writer(r.HotPath(), outbox.WithLogger(quietLog())), h.Writer()
		ticker := time.NewTicker(tick)
		defer ticker.Stop()
		start := time.Now()
		for i := 0; i < total; i += perTick {
			es := numbered("A", i, i+perTick)
			mu.Lock()
			for _, e := range es {
				written[e.ID] = time.Now()
			}
			mu.Unlock()
			writeDB(t, hot, es[:perTick/2]...)
			writeDB(t, cold, es[perTick/2:]...)
			<-ticker.C
		}
		took := time.Since(start)
		c.await(t)
		awaitSettled(t, h, "A")
		stop()
		c.wantOnce(t, 0)
		mu.Lock()
		defer mu.Unlock()
		t.Logf("written in %s; %d hot with a longest wait of %s, %d cold with one of %s", took, ways[true], longest[true], ways[false], longest[false])
		if ways[true] < total/10 || ways[false] < total/10 {
			t.Errorf("%d hot and %d cold: both paths should be on", ways[true], ways[false])
		}
		// An event that the relay forgot would have waited for its head start or
		// lease, and not have come.
	})
}
