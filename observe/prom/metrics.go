package prom

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe/internal/signals"
)

// Other is the label of event types that the configuration does not name.
const Other = signals.Other

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
	state  *signals.State
	series series
	vecs   []prometheus.Collector
}

// New makes metrics. Register them, and pass on their hooks.
func New(c Config) *Metrics {
	m := &Metrics{state: signals.New(signals.Config(c)), series: newSeries()}
	m.vecs = m.series.collectors()
	m.state.Begin(m.series.begin)
	return m
}

// CountIn counts in that store from now on, for those who have none at the
// start.
func (m *Metrics) CountIn(s driver.StatsStore) { m.state.CountIn(s) }

// Describe implements [prometheus.Collector].
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, c := range m.vecs {
		c.Describe(ch)
	}
	for _, d := range m.series.gauges {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	m.state.Gauges(m.series, func(g *signals.Metric, value float64, a, b string) {
		ch <- prometheus.MustNewConstMetric(m.series.gauges[g], prometheus.GaugeValue, value, []string{a, b}[:len(g.Labels)]...)
	})
	for _, c := range m.vecs { // after the gauges, which count their errors
		c.Collect(ch)
	}
}
