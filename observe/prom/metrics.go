package prom

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Other is the label of event types that the configuration does not name.
const Other = "other"

// Config is what metrics are made of.
type Config struct {
	// Types are the values of the label event_type. Default: none but [Other].
	Types []string
	// Label returns the value of the label for an event type: one of Types, or
	// [Other]. It is called concurrently. Default: the type itself if it is one
	// of Types.
	Label func(eventType string) string
	// Store counts what is in the database. Default: nothing is counted there.
	Store driver.StatsStore
	// Keep is how long a count serves further scrapes. Default 1 minute.
	Keep time.Duration
	// NoEvents and NoDead leave out the gauges of events and of dead letters.
	NoEvents, NoDead bool
}

// Metrics is a [prometheus.Collector]. It is safe for concurrent use.
type Metrics struct {
	config Config
	all    []prometheus.Collector
	gauges *gauges
	lags   *lags
	depths *depths

	sent      *prometheus.CounterVec
	internal  *prometheus.CounterVec
	letters   *prometheus.CounterVec
	consumed  *prometheus.CounterVec
	errors    *prometheus.CounterVec
	enqueued  map[string]*prometheus.CounterVec // by signal
	written   *prometheus.CounterVec
	delivered *prometheus.CounterVec
	failed    *prometheus.CounterVec
	took      *prometheus.HistogramVec
	latency   *prometheus.HistogramVec
	down      prometheus.Gauge

	mu   sync.Mutex
	open map[string]bool
}

// The signals of queues.
const (
	hotEnqueued  = "outbox_hot_enqueued_total"
	hotDropped   = "outbox_hot_dropped_total"
	coldEnqueued = "outbox_cold_enqueued_total"
)

// New makes metrics. Register them, and pass on their hooks.
func New(c Config) *Metrics {
	c.Types = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(c.Types), Other))))
	if c.Label == nil {
		known := c.Types
		c.Label = func(eventType string) string {
			if _, found := slices.BinarySearch(known, eventType); found {
				return eventType
			}
			return Other
		}
	}
	if c.Keep <= 0 {
		c.Keep = time.Minute
	}
	m := &Metrics{config: c, open: map[string]bool{}}
	m.sent = m.counter("outbox_events_rate_total", "Attempts to deliver an event, by result.", "event_type", "status")
	m.internal = m.counter("outbox_events_by_type_rate_total", "Events recovered from a crashed relay, rows cleaned up, moves to the dead letters.", "type")
	m.letters = m.counter("outbox_dlq_events_rate_total", "Events that became dead letters.", "event_type", "status")
	m.consumed = m.counter("consumed_outbox_events_total", "Consumed events, by what became of them.", "type")
	m.errors = m.counter("outbox_loop_errors_total", "Failures of background loops, which try again.", "loop")
	m.written = m.counter("outbox_entries_written_total", "Events that were committed.", "event_type")
	m.delivered = m.counter("outbox_entries_delivered_total", "Events that were delivered.", "event_type")
	m.failed = m.counter("outbox_entries_failed_total", "Events that were given up.", "event_type")
	m.enqueued = map[string]*prometheus.CounterVec{
		hotEnqueued:  m.counter(hotEnqueued, "Events that entered a hot queue.", "event_type"),
		hotDropped:   m.counter(hotDropped, "Events that a full hot queue left to the poller.", "event_type"),
		coldEnqueued: m.counter(coldEnqueued, "Claimed events that entered a cold queue.", "event_type"),
	}
	m.took = m.histogram("outbox_publish_duration_seconds", "Duration of a delivery, counted for each of its events.", "event_type")
	m.latency = m.histogram("outbox_delivery_latency_seconds", "From the INSERT (hot) or the claim (cold) to the end of the delivery.", "event_type", "path")
	m.down = prometheus.NewGauge(prometheus.GaugeOpts{Name: "outbox_destinations_down", Help: "Destinations that are unavailable now."})
	m.gauges, m.lags, m.depths = newGauges(c), newLags(c), newDepths(c)
	m.all = append(m.all, m.down, m.gauges, m.lags, m.depths)
	m.begin()
	return m
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.all = append(m.all, c)
	return c
}

// histogram has classic buckets from 1 ms to 1 min, and is native where the
// server scrapes native ones.
func (m *Metrics) histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(0.001, 4, 9),
		NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 100, NativeHistogramMinResetDuration: time.Hour,
	}, labels)
	m.all = append(m.all, h)
	return h
}

// begin makes every series.
func (m *Metrics) begin() {
	for _, t := range m.config.Types {
		for _, status := range []string{"processed", "failed"} {
			m.sent.WithLabelValues(t, status)
		}
		m.letters.WithLabelValues(t, "moved")
		for _, c := range m.enqueued {
			c.WithLabelValues(t)
		}
		for _, c := range []*prometheus.CounterVec{m.written, m.delivered, m.failed} {
			c.WithLabelValues(t)
		}
		m.took.WithLabelValues(t)
		for _, path := range []string{"hot", "cold"} {
			m.latency.WithLabelValues(t, path)
		}
	}
	for _, t := range []string{"attempt_move_to_dlq", "success_moved_to_dlq", "recovered", "cleaned"} {
		m.internal.WithLabelValues(t)
	}
	for _, t := range []string{"consumed", "duplicated", "failed", "cleaned", "cache_hit", "cache_miss"} {
		m.consumed.WithLabelValues(t)
	}
	for _, loop := range []string{"announce", "claim", "confirm", "forget", "listen", "look", "renew", "settle", "sweep", "sweep dead letters", "sweep the audit log", "take"} {
		m.errors.WithLabelValues(loop)
	}
}

// CountIn counts in that store from now on, for those who have none at the
// start.
func (m *Metrics) CountIn(s driver.StatsStore) { m.gauges.from(s) }

// Describe implements [prometheus.Collector].
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, c := range m.all {
		c.Describe(ch)
	}
}

// Collect implements [prometheus.Collector].
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	for _, c := range m.all {
		c.Collect(ch)
	}
}

// WriteHook counts what a writer has committed, as far as it knows: what is
// neither in InTx nor tracked is not counted.
func (m *Metrics) WriteHook() outbox.WriteHook {
	return outbox.WriteHook{AfterCommit: func(es []outbox.Event) {
		for i := range es {
			m.written.WithLabelValues(m.config.Label(es[i].Type)).Inc()
		}
	}}
}
