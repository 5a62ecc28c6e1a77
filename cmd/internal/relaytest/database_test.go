package relaytest_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/relaykit"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// databases are the real databases that the relay is tested on, and how to open
// them.
var databases = []struct {
	name string
	url  func(t *testing.T) string
	with dburl.Options
}{
	{"sqlite", func(t *testing.T) string { return "sqlite://" + filepath.Join(t.TempDir(), "outbox.db") }, dburl.Options{Create: true}},
	{"pgx", func(t *testing.T) string { return testenv.Database(t, "postgres15") }, dburl.Options{}},
	{"pgx on 18", func(t *testing.T) string { return testenv.Database(t, "postgres18") }, dburl.Options{}},
	{"database-sql", func(t *testing.T) string { return testenv.Database(t, "postgres15") }, dburl.Options{Driver: "sql"}},
	{"mysql80", func(t *testing.T) string { return testenv.Database(t, "mysql80") }, dburl.Options{}},
	{"mariadb", func(t *testing.T) string { return testenv.Database(t, "mariadb") }, dburl.Options{}},
	{"pgbouncer", func(t *testing.T) string {
		return testenv.Database(t, "pgbouncer") + "&default_query_exec_mode=exec"
	}, dburl.Options{}},
}

// onDatabases runs f on each, side by side, since they mostly wait. It returns
// when all have ended.
func onDatabases(t *testing.T, f func(t *testing.T, h *dburl.Handle)) {
	t.Helper()
	t.Run("on", func(t *testing.T) {
		for _, d := range databases {
			t.Run(d.name, func(t *testing.T) {
				t.Parallel()
				f(t, openDatabase(t, d.url(t), d.with))
			})
		}
	})
}

// openDatabase opens a database with tables. A statement that is not meant to
// fail may take as long as a machine that stands still.
func openDatabase(t *testing.T, url string, o dburl.Options) *dburl.Handle {
	t.Helper()
	h := openTables(t, url, o)
	if err := h.Schema.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// openTables is openDatabase where the tables are there.
func openTables(t *testing.T, url string, o dburl.Options) *dburl.Handle {
	t.Helper()
	o.ConnectTimeout, o.StatementTimeout = patience, time.Minute
	drivers := []dburl.Driver{dburl.PGX(), dburl.PostgresSQL(), dburl.MySQL(), dburl.SQLite()}
	h, err := dburl.Open(t.Context(), drivers, url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// patience is how long something may take that must come.
const patience = 5 * time.Minute

// counter counts deliveries per event, and tells when enough have come.
type counter struct {
	mu   sync.Mutex
	n    map[string]int
	want int
	done chan struct{}
}

func newCounter(want int) *counter {
	return &counter{n: map[string]int{}, want: want, done: make(chan struct{})}
}

func (c *counter) Handle(_ context.Context, e outbox.Event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n[e.ID]++; c.n[e.ID] == 1 && len(c.n) == c.want {
		close(c.done)
	}
	return nil
}

func (c *counter) await(t *testing.T) {
	t.Helper()
	select {
	case <-c.done:
	case <-time.After(patience): // longer than a lease
		c.mu.Lock()
		defer c.mu.Unlock()
		t.Fatalf("%d of %d events were delivered", len(c.n), c.want)
	}
}

// wantOnce fails for every event that came more often than once, less allowed.
func (c *counter) wantOnce(t *testing.T, allowed int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	extra := 0
	for _, n := range c.n {
		extra += n - 1
	}
	if extra > allowed {
		t.Errorf("%d deliveries too many of %d events; %d allowed", extra, len(c.n), allowed)
	}
}

// wakers are the database's own, if it has one.
func wakers(t *testing.T, h *dburl.Handle) []driver.Waker {
	t.Helper()
	if h.Waker == nil {
		return nil
	}
	waker, err := h.Waker("")
	if err != nil {
		t.Fatal(err)
	}
	return []driver.Waker{waker}
}

// runRelay runs a relay until stop, which waits for its end.
func runRelay(t *testing.T, h *dburl.Handle, reg *outbox.Registry, cfg relay.Config) (r *relay.Relay, stop func()) {
	t.Helper()
	cfg.Logger = quietLog()
	cfg.Wakers = append(cfg.Wakers, wakers(t, h)...)
	r, err := relay.New(h.Store, reg, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("Run: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return r, stop
}

func writeDB(t *testing.T, w dburl.Writer, es ...outbox.Event) {
	t.Helper()
	err := w.InTx(t.Context(), func(ctx context.Context, tx dburl.Tx) error { return tx.Write(ctx, es...) })
	if err != nil {
		t.Fatal(err)
	}
}

// fast polls often. On a machine so slow that a default lease or head start
// ends before the row is settled, repeated deliveries would be correct; and rows
// would be left if a shutdown were over before they are settled.
var fast = relay.Config{
	Lease: 2 * time.Minute, HeadStart: time.Minute, DrainTimeout: 2 * time.Minute,
	Lane: relay.LaneConfig{Interval: 100 * time.Millisecond},
}

func TestRelaysOnOneDatabaseShareTheWorkWithoutADuplicate(t *testing.T) {
	onDatabases(t, func(t *testing.T, h *dburl.Handle) {
		for _, relays := range []int{2, 4, 8} {
			t.Run(fmt.Sprintf("%d relays", relays), func(t *testing.T) { shareTheWork(t, h, relays, 600) })
		}
	})
}

// shareTheWork has as many events waiting as come while the relays run.
func shareTheWork(t *testing.T, h *dburl.Handle, relays, events int) {
	lane := fmt.Sprint("of", relays)
	writeDB(t, h.Writer(), numbered(lane, 0, events)...)
	c := newCounter(2 * events)
	reg := outbox.NewRegistry()
	reg.Handle(lane, c.Handle)
	var stops []func()
	var hot *relay.Relay
	for range relays {
		r, stop := runRelay(t, h, reg, fast)
		stops, hot = append(stops, stop), r
	}
	w := h.Writer(hot.HotPath(), outbox.WithLogger(quietLog()))
	for i := events; i < 2*events; i += 20 { // hot on one of them
		writeDB(t, w, numbered(lane, i, i+20)...)
	}
	c.await(t)
	for _, stop := range stops {
		stop()
	}
	c.wantOnce(t, 0)
	if s, err := h.Store.Stats(t.Context()); err != nil || s.Waiting.N+s.Held.N+s.Dead.N != 0 {
		t.Errorf("left behind: %+v, %v", s, err)
	}
}

// Scenario 78.
func TestTwoDatabasesInOneProcessDoNotSeeEachOther(t *testing.T) {
	onDatabases(t, func(t *testing.T, one *dburl.Handle) {
		two := openDatabase(t, "sqlite://"+filepath.Join(t.TempDir(), "two.db"), dburl.Options{Create: true})
		counters := []*counter{newCounter(50), newCounter(60)}
		for i, h := range []*dburl.Handle{one, two} {
			reg := outbox.NewRegistry()
			reg.Handle("A", counters[i].Handle)
			r, _ := runRelay(t, h, reg, fast)
			writeDB(t, h.Writer(r.HotPath()), numbered("A", 1000*i, 1000*i+50+10*i)...)
		}
		for i, c := range counters {
			c.await(t)
			for id := range c.n {
				if want := fmt.Sprintf("A-%06d", 1000*i); id < want || id > want[:6]+"99" {
					t.Errorf("database %d delivered %s", i, id)
				}
			}
			c.wantOnce(t, 0)
		}
	})
}

// Scenario 61, small: a slow type and a dead sink together with a fast type.
func TestASlowTypeAndADeadSinkDelayOnlyThemselves(t *testing.T) {
	onDatabases(t, func(t *testing.T, h *dburl.Handle) {
		w := h.Writer()
		for i := 0; i < 1500; i += 500 {
			writeDB(t, w, numbered("slow", i, i+500)...)
			writeDB(t, w, numbered("gone", i, i+500)...)
			writeDB(t, w, numbered("fast", i, i+500)...)
		}
		c := newCounter(1500)
		reg := outbox.NewRegistry()
		reg.Handle("fast", c.Handle)
		over := make(chan struct{})
		reg.Handle("slow", func(context.Context, outbox.Event) error { <-over; return outbox.RetryAfter(time.Hour) })
		reg.Route("gone", relaykit.DownSink{})
		_, stop := runRelay(t, h, reg, fast)
		release := sync.OnceFunc(func() { close(over) })
		t.Cleanup(release)
		c.await(t)
		awaitSettled(t, h, "fast")
		release()
		stop()
		c.wantOnce(t, 0)
		s, err := h.Store.Stats(t.Context())
		if err != nil || s.Dead.N != 0 {
			t.Errorf("stats %+v, %v: an outage dead-letters nothing", s, err)
		}
		for _, l := range s.Lanes {
			if l.Waiting.N+l.Held.N != 1500 {
				t.Errorf("lane %+v: all 1500 should be waiting", l)
			}
		}
	})
}

// awaitSettled waits until nothing of the lane is pending.
func awaitSettled(t *testing.T, h *dburl.Handle, lane string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		s, err := h.Store.Stats(ctx)
		if err != nil {
			t.Fatalf("lane %s is not settled: %v", lane, err)
		}
		if !slices.ContainsFunc(s.Lanes, func(l driver.LaneStats) bool { return l.Lane == lane }) {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// The database restarts while the relay runs: nothing is lost, and only events
// in flight are repeated.
func TestADatabaseThatRestartsUnderTheRelayLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("restarts servers: run without -short")
	}
	for _, name := range []string{"postgres15", "mysql80", "mariadb"} {
		t.Run(name, func(t *testing.T) {
			server := testenv.Control(t, name)
			h := openDatabase(t, testenv.Database(t, name), dburl.Options{})
			w := h.Writer()
			for i := 0; i < 6000; i += 500 {
				writeDB(t, w, numbered("A", i, i+500)...)
			}
			c := newCounter(6000)
			reg := outbox.NewRegistry()
			reg.Handle("A", c.Handle)
			cfg := fast
			cfg.Lease = 3 * time.Second
			cfg.SettleBatch = 100
			half := make(chan struct{})
			var once sync.Once
			cfg.Hooks.Settled = func(observe.StatementInfo) {
				c.mu.Lock()
				defer c.mu.Unlock()
				if len(c.n) > 1000 {
					once.Do(func() { close(half) })
				}
			}
			_, stop := runRelay(t, h, reg, cfg)
			<-half
			server.Crash()
			server.Start()
			c.await(t)
			stop()
			c.wantOnce(t, 2000) // in memory at the crash: running, or not yet settled
		})
	}
}
