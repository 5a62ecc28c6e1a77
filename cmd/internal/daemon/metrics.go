package daemon

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
)

// otherLane is the label of event types that the configuration does not name.
const otherLane = "other"

// metrics counts, under the names of the manual where it has one. Every series
// exists from the start; the labels are those of the configuration.
type metrics struct {
	registry *prometheus.Registry
	label    func(eventType string) string
	gauges   *gauges

	sent     *prometheus.CounterVec // outbox_events_rate_total
	internal *prometheus.CounterVec // outbox_events_by_type_rate_total
	letters  *prometheus.CounterVec // outbox_dlq_events_rate_total
	consumed *prometheus.CounterVec // consumed_outbox_events_total
	took     *prometheus.HistogramVec
	lags     *lags
	errors   *prometheus.CounterVec
	away     prometheus.Gauge

	mu   sync.Mutex
	open map[string]bool
}

func newMetrics(c *config.Config, label func(string) string) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &metrics{
		registry: prometheus.NewRegistry(), label: label, open: map[string]bool{},
		sent:     counter("outbox_events_rate_total", "Attempts to send an event, by result.", "event_type", "status"),
		internal: counter("outbox_events_by_type_rate_total", "Events recovered from a crashed relay, rows cleaned up, moves to the dead-letter table.", "type"),
		letters:  counter("outbox_dlq_events_rate_total", "Events that became dead letters.", "event_type", "status"),
		consumed: counter("consumed_outbox_events_total", "Ids of consumed events that were cleaned up.", "type"),
		errors:   counter("outbox_loop_errors_total", "Failures of background loops, which try again.", "loop"),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "outbox_send_duration_seconds", Help: "Duration of a send, counted for each of its events.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 9),
		}, []string{"event_type"}),
		away: prometheus.NewGauge(prometheus.GaugeOpts{Name: "outbox_destinations_away", Help: "Destinations that are unavailable now."}),
	}
	lanes := []string{otherLane}
	for name := range c.Publisher.Events {
		lanes = append(lanes, name)
	}
	for _, lane := range lanes {
		m.sent.WithLabelValues(lane, "processed")
		m.sent.WithLabelValues(lane, "failed")
		m.letters.WithLabelValues(lane, "moved")
		m.took.WithLabelValues(lane)
	}
	for _, t := range []string{"attempt_move_to_dlq", "success_moved_to_dlq", "recovered", "cleaned"} {
		m.internal.WithLabelValues(t)
	}
	for _, loop := range []string{"announce", "claim", "confirm", "listen", "look", "renew", "settle", "sweep", "take", "forget"} {
		m.errors.WithLabelValues(loop)
	}
	m.consumed.WithLabelValues("cleaned")
	m.registry.MustRegister(m.sent, m.internal, m.letters, m.consumed, m.errors, m.took, m.away,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauges = newGauges(c, label)
	m.lags = newLags(lanes, label)
	m.registry.MustRegister(m.gauges, m.lags)
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// count lets the gauges count in the database.
func (m *metrics) count(s driver.StatsStore) { m.gauges.from(s) }

func (m *metrics) forgotten(n int) { m.consumed.WithLabelValues("cleaned").Add(float64(n)) }

func (m *metrics) hooks() observe.Hooks {
	return observe.Hooks{
		Delivered: func(i observe.DeliveredInfo) {
			lane := m.label(i.Event.Type)
			m.sent.WithLabelValues(lane, "processed").Inc()
			m.took.WithLabelValues(lane).Observe(i.Took.Seconds())
		},
		Failed: func(i observe.FailedInfo) {
			if i.Counted {
				m.sent.WithLabelValues(m.label(i.Event.Type), "failed").Inc()
			}
		},
		Dead: func(i observe.FailedInfo) {
			lane := m.label(i.Event.Type)
			m.sent.WithLabelValues(lane, "failed").Inc()
			m.letters.WithLabelValues(lane, "moved").Inc()
			m.internal.WithLabelValues("attempt_move_to_dlq").Inc()
			m.internal.WithLabelValues("success_moved_to_dlq").Inc() // the settle is repeated until it is
		},
		Recovered: func(i observe.QueueInfo) { m.internal.WithLabelValues("recovered").Add(float64(i.N)) },
		Swept:     func(i observe.StatementInfo) { m.internal.WithLabelValues("cleaned").Add(float64(i.Rows)) },
		OldestLag: m.lags.note,
		Unclaimed: m.lags.note,
		LoopError: func(i observe.LoopErrorInfo) { m.errors.WithLabelValues(i.Loop).Inc() },
		Breaker:   m.breaker,
	}
}

func (m *metrics) breaker(i observe.BreakerInfo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i.Open {
		m.open[i.Target] = true
	} else {
		delete(m.open, i.Target)
	}
	m.away.Set(float64(len(m.open)))
}

// gauges are the manual's, counted in the database and kept for a while. The
// counting stops at a bound, so that a scrape never reads a whole table.
type gauges struct {
	label          func(string) string
	lanes          []string
	events, dead   bool
	ttl            time.Duration
	mu             sync.Mutex
	store          driver.StatsStore
	at             time.Time
	stats          driver.Stats
	total, byState *prometheus.Desc
	byType         *prometheus.Desc
	dlq, dlqState  *prometheus.Desc
	dlqType        *prometheus.Desc
}

func newGauges(c *config.Config, label func(string) string) *gauges {
	p := c.Publisher
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	g := &gauges{
		label: label, lanes: []string{otherLane}, events: p.Enabled && p.Metrics.Gauge.Enabled, dead: p.Enabled && p.DLQ.Metrics.Gauge.Enabled,
		total:    desc("outbox_events", "Events that are waiting or being sent, counted up to a limit."),
		byState:  desc("outbox_events_by_status", "The same by status.", "status"),
		byType:   desc("outbox_events_by_event_type_and_status", "The same by type and status.", "event_type", "status"),
		dlq:      desc("outbox_dlq_events", "Unresolved dead letters, counted up to a limit."),
		dlqState: desc("outbox_dlq_events_by_status", "The same by status.", "status"),
		dlqType:  desc("outbox_dlq_events_by_event_type_and_status", "The same by type and status.", "event_type", "status"),
	}
	for name := range p.Events {
		g.lanes = append(g.lanes, name)
	}
	g.ttl = time.Hour
	for _, m := range []struct {
		on  bool
		ttl []config.Duration
	}{{g.events, p.Metrics.Gauge.Cache.TTLs}, {g.dead, p.DLQ.Metrics.Gauge.Cache.TTLs}} {
		for _, ttl := range m.ttl {
			if m.on {
				g.ttl = min(g.ttl, ttl.Std())
			}
		}
	}
	return g
}

func (g *gauges) from(s driver.StatsStore) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.store = s
}

// Describe implements [prometheus.Collector].
func (g *gauges) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{g.total, g.byState, g.byType, g.dlq, g.dlqState, g.dlqType} {
		ch <- d
	}
}

// Collect implements [prometheus.Collector]. A database that is away leaves
// the last numbers.
func (g *gauges) Collect(ch chan<- prometheus.Metric) {
	if !g.events && !g.dead {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.store != nil && (g.at.IsZero() || time.Since(g.at) > g.ttl) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if s, err := g.store.Stats(ctx); err == nil {
			g.stats, g.at = s, time.Now()
		}
	}
	send := func(d *prometheus.Desc, n int64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), labels...)
	}
	waiting, held, dead := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, l := range g.stats.Lanes {
		waiting[g.label(l.Lane)] += l.Waiting.N
		held[g.label(l.Lane)] += l.Held.N
		dead[g.label(l.Lane)] += l.Dead.N
	}
	if g.events {
		send(g.total, g.stats.Waiting.N+g.stats.Held.N)
		send(g.byState, g.stats.Waiting.N, "pending")
		send(g.byState, g.stats.Held.N, "in_process")
	}
	if g.dead {
		send(g.dlq, g.stats.Dead.N)
		send(g.dlqState, g.stats.Dead.N, "moved")
	}
	for _, lane := range g.lanes {
		if g.events {
			send(g.byType, waiting[lane], lane, "pending")
			send(g.byType, held[lane], lane, "in_process")
		}
		if g.dead {
			send(g.dlqType, dead[lane], lane, "moved")
		}
	}
}
