package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/pace"
	"github.com/sendoff-go/outbox/cmd/internal/tally"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/relay"
)

// BenchmarkFairTenant measures how long the events of a small tenant wait while a
// large one has a backlog of 200,000, with FairByTenant and without, and how fast the
// backlog is delivered. BACKLOG sets another size, and RATE how many events per
// second the small tenant writes, by default one.
//
// The latency is measured with a destination that takes a millisecond, four events at
// a time, so that the backlog lasts for about a minute; the rate with a destination
// that takes no time.
func BenchmarkFairTenant(b *testing.B) {
	backlog, err := strconv.Atoi(cmp.Or(os.Getenv("BACKLOG"), "200000"))
	if err != nil {
		b.Fatal(err)
	}
	rate, err := strconv.ParseFloat(cmp.Or(os.Getenv("RATE"), "1"), 64)
	if err != nil {
		b.Fatal(err)
	}
	for _, server := range []string{testenv.Postgres15, testenv.MySQL80} {
		for _, fair := range []bool{false, true} {
			for name, took := range map[string]time.Duration{"latency": time.Millisecond, "drain": 0} {
				b.Run(fmt.Sprintf("%s/fair=%t/%s", server, fair, name), func(b *testing.B) {
					for range b.N {
						(&fairRun{B: b, fair: fair, took: took, rate: rate, big: int64(backlog)}).run(server)
					}
				})
			}
		}
	}
}

// fairRun is one backlog from its first claim to its last delivery.
type fairRun struct {
	*testing.B
	fair bool
	took time.Duration // of a delivery
	rate float64
	big  int64 // events of the large tenant

	db      *dburl.Handle
	left    atomic.Int64
	drained chan struct{}
	waited  tally.Histogram // of the small tenant
	arrived atomic.Int64

	mu        sync.Mutex
	committed map[string]time.Time
	early     map[string]time.Time // arrived before the answer to COMMIT
}

func (r *fairRun) run(server string) {
	db, err := dburl.Open(r.Context(), drivers, testenv.Database(r.B, server), dburl.Options{Create: true, StatementTimeout: 10 * time.Minute})
	r.must(err)
	defer func() { r.must(db.Close()) }()
	r.db = db
	r.must(db.Schema.Migrate(r.Context()))
	if r.fair {
		r.must(db.Store.PrepareFair(r.Context()))
	}
	r.fill()
	r.left.Store(r.big)
	r.drained, r.committed, r.early = make(chan struct{}), map[string]time.Time{}, map[string]time.Time{}
	reg := outbox.NewRegistry()
	reg.Handle("fair", r.listen)
	rel, err := relay.New(db.Store, reg, relay.Config{
		Lane: relay.LaneConfig{FairByTenant: r.fair, Interval: 50 * time.Millisecond}, Logger: slog.New(slog.DiscardHandler),
	})
	r.must(err)
	ctx, stop := context.WithCancel(r.Context())
	var running sync.WaitGroup
	start := time.Now()
	r.ResetTimer()
	running.Go(func() { r.must(rel.Run(ctx)) })
	written := r.trickle(ctx)
	r.ReportMetric(float64(r.big)/time.Since(start).Seconds(), "events/s")
	for r.arrived.Load() < int64(written) { // the last ones
		<-time.After(10 * time.Millisecond)
	}
	r.StopTimer()
	stop()
	running.Wait()
	waited := r.waited.Snapshot()
	r.ReportMetric(float64(written), "small-events")
	for name, q := range map[string]float64{"small-p50-ms": 0.5, "small-p99-ms": 0.99, "small-max-ms": 1} {
		r.ReportMetric(float64(waited.Quantile(q).Microseconds())/1000, name)
	}
}

// fill writes the backlog as another process would.
func (r *fairRun) fill() {
	w := r.db.Writer()
	for from := int64(0); from < r.big; from += 1000 {
		es := make([]outbox.Event, min(1000, r.big-from))
		for i := range es {
			es[i] = outbox.Event{Type: "fair", TenantID: "large", JSON: []byte(`{"order":4711,"note":"some payload of a usual length"}`)}
		}
		r.must(w.InTx(r.Context(), func(ctx context.Context, tx dburl.Tx) error { return tx.Write(ctx, es...) }))
	}
	analyze := "VACUUM ANALYZE outbox_event" // as autovacuum does soon
	if r.db.Dialect().Name == "MySQL" {
		analyze = "ANALYZE TABLE outbox_event"
	}
	r.must(r.db.Exec(r.Context(), analyze))
}

// trickle writes events of the small tenant until the backlog is gone.
func (r *fairRun) trickle(ctx context.Context) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		<-r.drained
		stop()
	}()
	w := r.db.Writer()
	return pace.Steady(ctx, r.rate, 0, 4, func(ctx context.Context, _ int) {
		id := outbox.NewID()
		e := outbox.Event{ID: id, Type: "fair", TenantID: "small", JSON: []byte(`{"order":4711,"note":"some payload of a usual length"}`)}
		r.must(w.InTx(ctx, func(ctx context.Context, tx dburl.Tx) error { return tx.Write(ctx, e) }))
		now := time.Now()
		r.mu.Lock()
		defer r.mu.Unlock()
		if at, ok := r.early[id]; ok {
			r.note(at.Sub(now))
		} else {
			r.committed[id] = now
		}
	})
}

func (r *fairRun) note(waited time.Duration) {
	r.waited.Add(waited)
	r.arrived.Add(1)
}

func (r *fairRun) listen(_ context.Context, e outbox.Event) error {
	if e.TenantID == "small" {
		r.mu.Lock()
		if at, ok := r.committed[e.ID]; ok {
			r.note(time.Since(at))
		} else {
			r.early[e.ID] = time.Now()
		}
		r.mu.Unlock()
	}
	if r.took > 0 {
		<-time.After(r.took)
	}
	if e.TenantID == "large" && r.left.Add(-1) == 0 {
		close(r.drained)
	}
	return nil
}

func (r *fairRun) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}
