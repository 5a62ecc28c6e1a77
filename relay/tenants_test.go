package relay_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// waits notes how long the events of each tenant waited for their listener.
type waits struct {
	mu      sync.Mutex
	written map[string]time.Time
	longest map[string]time.Duration
	n       map[string]int
	order   []string // tenants, as their events were delivered
}

func newWaits() *waits {
	return &waits{written: map[string]time.Time{}, longest: map[string]time.Duration{}, n: map[string]int{}}
}

func (w *waits) handle(took time.Duration) func(context.Context, outbox.Event) error {
	return func(_ context.Context, e outbox.Event) error {
		w.mu.Lock()
		w.longest[e.TenantID] = max(w.longest[e.TenantID], time.Since(w.written[e.ID]))
		w.n[e.TenantID]++
		w.order = append(w.order, e.TenantID)
		w.mu.Unlock()
		if took > 0 {
			<-time.After(took)
		}
		return nil
	}
}

func (w *waits) of(tenant string) (n int, longest time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n[tenant], w.longest[tenant]
}

// tenant makes events of a tenant, which are written now.
func (w *waits) tenant(name string, from, to int) []outbox.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	var es []outbox.Event
	for i := from; i < to; i++ {
		e := event("A", i)
		e.ID, e.TenantID = fmt.Sprintf("%s-%05d", name, i), name
		w.written[e.ID] = time.Now()
		es = append(es, e)
	}
	return es
}

func fairLane(fair bool) relay.LaneConfig {
	return relay.LaneConfig{FairByTenant: fair, Interval: time.Second, NoHotPath: true}
}

// unprepared is a store whose index is missing.
type unprepared struct {
	driver.Store
	driver.FairStore
}

func (unprepared) CheckFair(context.Context) error {
	return fmt.Errorf("%w: run this and that", outbox.ErrSchema)
}
