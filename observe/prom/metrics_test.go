package prom_test

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/observe/prom"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// scrape is what a server would read.
func scrape(t *testing.T, m *prom.Metrics) string {
	t.Helper()
	reg := prometheus.NewPedanticRegistry()
	if err := reg.Register(m); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	promhttp.HandlerFor(reg, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text, err := io.ReadAll(w.Result().Body)
	if err != nil || w.Code != 200 {
		t.Fatalf("%d %s %v", w.Code, text, err)
	}
	return string(text)
}

func wants(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			name := line[:strings.IndexAny(line, "{ ")]
			var have []string
			for l := range strings.Lines(text) {
				if strings.HasPrefix(l, name) {
					have = append(have, strings.TrimSpace(l))
				}
			}
			t.Errorf("there is no %s, but %q", line, have)
		}
	}
}

func TestEverySeriesExistsFromTheStart(t *testing.T) {
	wants(t, scrape(t, prom.New(prom.Config{Types: []string{"order-placed"}})),
		`outbox_events_rate_total{event_type="order-placed",status="processed"} 0`, `outbox_events_rate_total{event_type="other",status="failed"} 0`,
		`outbox_events_by_type_rate_total{type="recovered"} 0`, `outbox_dlq_events_rate_total{event_type="order-placed",status="moved"} 0`,
		`consumed_outbox_events_total{type="duplicated"} 0`, `outbox_loop_errors_total{loop="claim"} 0`,
		`outbox_entries_written_total{event_type="order-placed"} 0`, `outbox_entries_delivered_total{event_type="other"} 0`, `outbox_entries_failed_total{event_type="order-placed"} 0`,
		`outbox_hot_enqueued_total{event_type="order-placed"} 0`, `outbox_hot_dropped_total{event_type="order-placed"} 0`, `outbox_cold_enqueued_total{event_type="order-placed"} 0`,
		`outbox_publish_duration_seconds_count{event_type="order-placed"} 0`, `outbox_delivery_latency_seconds_count{event_type="order-placed",path="hot"} 0`,
		`outbox_queue_depth{event_type="order-placed",queue="cold"} 0`, `outbox_oldest_event_lag_seconds{event_type="order-placed"} 0`,
		"outbox_destinations_down 0", "outbox_destinations_paused 0", "outbox_events 0", "outbox_dlq_events 0", `outbox_count_bounded{of="events"} 0`, "outbox_oldest_due_seconds 0",
		`outbox_events_by_event_type_and_status{event_type="other",status="pending"} 0`)
}

func TestARelayAndAWriterAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New(memstore.Config{})
		reg := outbox.NewRegistry()
		reg.Handle("good", func(context.Context, outbox.Event) error { return nil })
		reg.Handle("bad", func(context.Context, outbox.Event) error { return errors.New("no") })
		reg.Handle("away", func(context.Context, outbox.Event) error { return outbox.Unavailable(errors.New("down")) })
		m := prom.New(prom.Config{Types: reg.Types(), Store: store, Keep: time.Second})
		r, err := relay.New(store, reg, relay.Config{Hooks: m.Hooks(), Lane: relay.LaneConfig{MaxAttempts: 2}})
		if err != nil {
			t.Fatal(err)
		}
		w := outbox.NewWriter(store, r.HotPath(), outbox.WithWriteHooks(m.WriteHook()))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		synctest.Wait()
		for _, eventType := range []string{"good", "good", "bad", "away", "stranger"} {
			err := w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
				_, err := w.Write(ctx, tx, outbox.Event{Type: eventType, JSON: []byte("1")})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		<-time.After(time.Minute)
		text := scrape(t, m)
		wants(t, text,
			`outbox_entries_written_total{event_type="good"} 2`, `outbox_entries_written_total{event_type="other"} 1`,
			`outbox_events_rate_total{event_type="good",status="processed"} 2`, `outbox_entries_delivered_total{event_type="good"} 2`,
			`outbox_events_rate_total{event_type="bad",status="failed"} 2`, `outbox_dlq_events_rate_total{event_type="bad",status="moved"} 1`, `outbox_entries_failed_total{event_type="bad"} 1`,
			`outbox_events_rate_total{event_type="away",status="failed"} 0`,
			`outbox_hot_enqueued_total{event_type="good"} 2`, `outbox_delivery_latency_seconds_count{event_type="good",path="hot"} 2`,
			`outbox_publish_duration_seconds_count{event_type="good"} 2`, `outbox_commit_to_delivery_seconds_count{destination="listener:good",event_type="good"} 2`,
			"outbox_dlq_events 1", `outbox_dlq_events_by_event_type_and_status{event_type="bad",status="moved"} 1`,
			`outbox_events_by_event_type_and_status{event_type="other",status="pending"} 1`)
		if strings.Contains(text, "stranger") {
			t.Error("a type that nobody named is a label")
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestDestinationsThatAreAwayAreCountedOnce(t *testing.T) {
	m := prom.New(prom.Config{})
	breaker := m.Hooks().Breaker
	for _, c := range []struct {
		target string
		open   bool
		want   string
	}{{"a", true, "1"}, {"b", true, "2"}, {"a", true, "2"}, {"a", false, "1"}, {"a", false, "1"}, {"b", false, "0"}} {
		breaker(observe.BreakerInfo{Target: c.target, Open: c.open})
		wants(t, scrape(t, m), "outbox_destinations_down "+c.want)
	}
}

func TestADestinationThatIsPausedIsNotDown(t *testing.T) {
	m := prom.New(prom.Config{})
	pause := func(paused bool) { m.Hooks().Paused(observe.PausedInfo{Target: "a", Paused: paused}) }
	m.Hooks().Breaker(observe.BreakerInfo{Target: "a", Open: true})
	for range 2 {
		pause(true)
		wants(t, scrape(t, m), "outbox_destinations_down 0", "outbox_destinations_paused 1")
	}
	for range 2 {
		pause(false)
		wants(t, scrape(t, m), "outbox_destinations_down 1", "outbox_destinations_paused 0")
	}
}

func TestQueuesOfTypesWithOneLabelAreAddedUpAndForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := prom.New(prom.Config{Types: []string{"order-*"}, Label: func(string) string { return "order-*" }})
		m.Hooks().QueueDepths(observe.QueueDepthsInfo{Lane: "order-1", Hot: 1, Cold: 2})
		m.Hooks().QueueDepths(observe.QueueDepthsInfo{Lane: "order-2", Hot: 3, Cold: 4})
		m.Hooks().OldestLag(observe.LagInfo{Lane: "order-1", Lag: time.Second})
		m.Hooks().OldestLag(observe.LagInfo{Lane: "order-2", Lag: time.Minute})
		wants(t, scrape(t, m), `outbox_queue_depth{event_type="order-*",queue="hot"} 4`, `outbox_queue_depth{event_type="order-*",queue="cold"} 6`, `outbox_oldest_event_lag_seconds{event_type="order-*"} 60`)
		<-time.After(time.Minute)
		wants(t, scrape(t, m), `outbox_queue_depth{event_type="order-*",queue="hot"} 0`, `outbox_oldest_event_lag_seconds{event_type="order-*"} 0`)
	})
}

// counting is a store that counts how often it is asked.
type counting struct {
	driver.Stats
	asked int
	err   error
}

func (c *counting) counts() driver.StatsStore { return counted{c} }

type counted struct{ c *counting }

func (s counted) Stats(context.Context) (driver.Stats, error) {
	s.c.asked++
	return s.c.Stats, s.c.err
}

func TestCountsAreKeptForAWhileAndSurviveAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &counting{Stats: driver.Stats{Waiting: driver.Count{N: 7, More: true}, OldestDue: time.Minute}}
		m := prom.New(prom.Config{})
		m.CountIn(db.counts())
		for range 5 {
			wants(t, scrape(t, m), "outbox_events 7", `outbox_count_bounded{of="events"} 1`, `outbox_count_bounded{of="dead_letters"} 0`, "outbox_oldest_due_seconds 60", `outbox_loop_errors_total{loop="count"} 0`)
		}
		if db.asked != 1 {
			t.Errorf("asked %d times, want once", db.asked)
		}
		<-time.After(2 * time.Minute)
		db.err = errors.New("away")
		wants(t, scrape(t, m), "outbox_events 7", `outbox_loop_errors_total{loop="count"} 1`)
		if db.asked != 2 {
			t.Errorf("asked %d times, want again after a minute", db.asked)
		}
	})
}

// Zero is also what an empty outbox has: a writer that may not read it must not
// look as if all were delivered.
func TestACountThatNeverSucceedsIsAnError(t *testing.T) {
	m := prom.New(prom.Config{Store: (&counting{err: errors.New("permission denied")}).counts()})
	wants(t, scrape(t, m), "outbox_oldest_due_seconds 0", `outbox_loop_errors_total{loop="count"} 1`)
	wants(t, scrape(t, m), `outbox_loop_errors_total{loop="count"} 2`)
}

func TestGaugesThatAreLeftOutCostNothing(t *testing.T) {
	db := &counting{}
	text := scrape(t, prom.New(prom.Config{Store: db.counts(), NoEvents: true, NoDead: true}))
	if db.asked != 0 || strings.Contains(text, "outbox_events ") || strings.Contains(text, "outbox_dlq_events ") {
		t.Errorf("asked %d times: %s", db.asked, text)
	}
}
