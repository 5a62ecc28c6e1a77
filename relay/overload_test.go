//go:build !race

package relay_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// The backlogs of scenario 61.
const (
	slowRows = 100_000
	goneRows = 200_000
)

// deadSink is down, and its connection check says so.
func deadSink() *outboxtest.FlakySink {
	s := &outboxtest.FlakySink{}
	s.SetDown(true)
	return s
}

// Scenario 61: what the lanes have to do with each other, in a time in which
// nothing else costs any.
func TestATypeKeepsItsPaceDespiteLargeBacklogsOfOtherTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("keeps 300,000 rows in memory: run without -short")
	}
	alone := pace(t, 0, 0)
	beside := pace(t, slowRows, goneRows)
	t.Logf("alone %+v; beside the others %+v", alone, beside)
	if beside.hot*10 < alone.hot*9 || beside.cold*10 < alone.cold*9 {
		t.Errorf("delivered in time alone: %d hot and %d cold; beside the others: %d and %d", alone.hot, alone.cold, beside.hot, beside.cold)
	}
	if beside.hotP99 > 3*alone.hotP99 || beside.coldP99 > 3*alone.coldP99 {
		t.Errorf("the 99th percentile alone is %s hot and %s cold; beside the others %s and %s", alone.hotP99, alone.coldP99, beside.hotP99, beside.coldP99)
	}
	if alone.hot == 0 || alone.cold == 0 || alone.hotP99 == 0 || alone.coldP99 == 0 {
		t.Errorf("alone %+v: nothing was measured", alone)
	}
	if beside.updates != 2 { // the first are claimed, and given back
		t.Errorf("a row of the sink that is down was updated %d times, allowed are 2", beside.updates)
	}
	if beside.slow == 0 {
		t.Error("the slow type stands still")
	}
}

type paced struct {
	hot, cold, slow int
	hotP99, coldP99 time.Duration
	updates         int // of the row of the sink that was updated most
}

// pace delivers 400 events a second of a type for 4 seconds, one in twenty of
// them cold, beside backlogs of two others.
func pace(t *testing.T, slow, gone int) (p paced) {
	const seconds, ticks, perTick = 4, 100, 4
	waits := map[bool][]time.Duration{} // by hot
	var mu sync.Mutex
	written := map[string]time.Time{}
	var slowRuns atomic.Int64
	cfg := relay.Config{Logger: quietLog(), Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("fast", func(ctx context.Context, e outbox.Event) error {
			<-time.After(5 * time.Millisecond)
			d, _ := outbox.DeliveryFrom(ctx)
			mu.Lock()
			defer mu.Unlock()
			waits[d.Hot] = append(waits[d.Hot], time.Since(written[e.ID]))
			return nil
		})
		r.reg.Handle("slow", func(ctx context.Context, e outbox.Event) error {
			slowRuns.Add(1)
			return relaykit.OneSecond(ctx, e)
		})
		r.reg.Route("gone", deadSink())
	}, func(ctx context.Context, r *rig) {
		for lane, n := range map[string]int{"slow": slow, "gone": gone} {
			for i := 0; i < n; i += 500 {
				r.writeCold(ctx, numbered(lane, i, i+500)...)
			}
		}
		rows := &updates{Store: r.store, lane: "gone", n: map[string]int{}}
		rel, err := relay.New(rows, r.reg, cfg)
		if err != nil {
			t.Fatal(err)
		}
		r.relay, r.w = rel, outbox.NewWriter(r.store, rel.HotPath(), outbox.WithLogger(quietLog()))
		r.run()
		for i := range seconds * ticks {
			es := numbered("fast", perTick*i, perTick*(i+1))
			mu.Lock()
			for _, e := range es {
				written[e.ID] = time.Now()
			}
			mu.Unlock()
			if i%20 == 0 {
				r.writeCold(ctx, es...)
			} else {
				r.write(ctx, es...)
			}
			pass(time.Second / ticks)
		}
		mu.Lock()
		p = paced{hot: len(waits[true]), cold: len(waits[false]), slow: int(slowRuns.Load()), hotP99: p99(waits[true]), coldP99: p99(waits[false])}
		mu.Unlock()
		r.stop()
		p.updates = rows.most()
	})
	return p
}

// updates counts what is done to the rows of a lane.
type updates struct {
	*memstore.Store
	lane string
	mu   sync.Mutex
	n    map[string]int
}

func (u *updates) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	cs, err := u.Store.Claim(ctx, req)
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, c := range cs {
		if c.Event.Type == u.lane {
			u.n[c.EventID]++
		}
	}
	return cs, err
}

func (u *updates) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
	for _, r := range rows {
		u.again(r.EventID)
	}
	return u.Store.Renew(ctx, owner, lease, rows)
}

func (u *updates) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keepDone bool) ([]driver.Held, error) {
	for _, o := range outcomes {
		u.again(o.EventID)
	}
	return u.Store.Settle(ctx, owner, outcomes, keepDone)
}

// again counts an update of a row that was claimed.
func (u *updates) again(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n[id] > 0 {
		u.n[id]++
	}
}

// most is the number of updates of the row that had the most.
func (u *updates) most() (most int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, n := range u.n {
		most = max(most, n)
	}
	return most
}

func p99(ds []time.Duration) time.Duration {
	if len(ds) == 0 {
		return 0
	}
	slices.Sort(ds)
	return ds[len(ds)*99/100]
}

// Scenario 74. The latency is fake time: all that an event waits for is others.
func TestAtTwiceTheCapacityEventsAreDeliveredOnceAndWaitForTheBacklog(t *testing.T) {
	if testing.Short() {
		t.Skip("delivers 100,000 events: run without -short")
	}
	const total, perTick, workers, run = 100_000, 80, 8, 2 * time.Millisecond // written are 8,000 a second
	var mu sync.Mutex
	written, runs := make(map[string]time.Time, total), make(map[string]int, total)
	longest := map[bool]time.Duration{} // by hot
	ways := map[bool]int{}
	cfg := relay.Config{Delivered: relay.DeleteAtSettle, Lane: relay.LaneConfig{Workers: workers, ColdQueue: 5000, Interval: time.Second}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			d, _ := outbox.DeliveryFrom(ctx)
			mu.Lock()
			runs[e.ID]++
			ways[d.Hot]++
			longest[d.Hot] = max(longest[d.Hot], time.Since(written[e.ID]))
			mu.Unlock()
			<-time.After(run)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		start := time.Now()
		for i := 0; i < total; i += perTick {
			es := numbered("A", i, i+perTick)
			mu.Lock()
			for _, e := range es {
				written[e.ID] = time.Now()
			}
			mu.Unlock()
			r.write(ctx, es[:perTick/2]...)
			r.writeCold(ctx, es[perTick/2:]...)
			pass(10 * time.Millisecond)
		}
		took := time.Since(start)
		pass(took + 10*time.Second)
		if len(runs) != total || ways[true]+ways[false] != total {
			t.Errorf("%d of %d events were delivered, in %d runs", len(runs), total, ways[true]+ways[false])
		}
		if ways[true] < total/10 || ways[false] < total/10 {
			t.Errorf("%d hot and %d cold: both paths should be on", ways[true], ways[false])
		}
		t.Logf("written in %s; the longest wait was %s hot, %s cold", took, longest[true], longest[false])
		if most := max(longest[true], longest[false]); most > took+5*time.Second {
			t.Errorf("an event waited for %s, though what was in its way takes %s", most, took)
		}
	})
}
