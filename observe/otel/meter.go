package otel

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/sendoff-go/outbox/observe/internal/signals"
)

// meter records. Counters are kept here and read when metrics are collected: so
// they exist from the start, whenever the provider comes, and counting takes an
// addition.
type meter struct {
	counters   map[*signals.Metric]*counter
	histograms map[*signals.Metric]*histogram
	gauges     map[*signals.Metric]gauge
	state      *signals.State
	registered metric.Registration // nil: nothing is read
}

type counter struct {
	metric.Int64ObservableCounter
	labels []string
	series sync.Map // of *count, by the values of the labels
}

type count struct {
	n  atomic.Int64
	at metric.MeasurementOption
}

type histogram struct {
	metric.Float64Histogram
	labels []string
	series sync.Map // of []metric.RecordOption, by the values of the labels
}

type gauge struct {
	metric.Float64ObservableGauge
	labels []string
}

func newMeter(p metric.MeterProvider, state *signals.State) *meter {
	m := &meter{
		counters: map[*signals.Metric]*counter{}, histograms: map[*signals.Metric]*histogram{}, gauges: map[*signals.Metric]gauge{}, state: state,
	}
	from := p.Meter(scope)
	var read []metric.Observable
	for _, s := range signals.Counters {
		c, err := from.Int64ObservableCounter(name(s), metric.WithDescription(s.Help), metric.WithUnit("{event}"))
		told(err)
		m.counters[s] = &counter{Int64ObservableCounter: c, labels: s.Labels}
		read = append(read, c)
	}
	for _, s := range signals.Histograms {
		h, err := from.Float64Histogram(name(s), metric.WithDescription(s.Help), metric.WithUnit("s"), metric.WithExplicitBucketBoundaries(signals.Buckets...))
		told(err)
		m.histograms[s] = &histogram{Float64Histogram: h, labels: s.Labels}
	}
	for _, s := range signals.Gauges {
		g, err := from.Float64ObservableGauge(name(s), metric.WithDescription(s.Help), metric.WithUnit(unit(s)))
		told(err)
		m.gauges[s] = gauge{g, s.Labels}
		read = append(read, g)
	}
	state.Begin(func(s *signals.Metric, a, b string) {
		if c := m.counters[s]; c != nil {
			c.of(a, b)
		}
	})
	var err error
	m.registered, err = from.RegisterCallback(m.read, read...)
	told(err)
	return m
}

func told(err error) {
	if err != nil {
		api.Handle(err)
	}
}

// name is the name in Prometheus with a dot after the namespace and without the
// suffixes for kind and unit, which Prometheus adds again.
func name(s *signals.Metric) string {
	return strings.Replace(strings.TrimSuffix(strings.TrimSuffix(s.Name, "_total"), "_seconds"), "outbox_", "outbox.", 1)
}

func unit(s *signals.Metric) string {
	switch {
	case strings.HasSuffix(s.Name, "_seconds"):
		return "s"
	case s == signals.Bounded:
		return "" // 1 would be a ratio
	case s == signals.Down, s == signals.Paused:
		return "{destination}"
	}
	return "{event}"
}

// read tells everything but the histograms.
func (m *meter) read(_ context.Context, o metric.Observer) error {
	m.state.Gauges(m, func(s *signals.Metric, value float64, a, b string) {
		g := m.gauges[s]
		o.ObserveFloat64(g.Float64ObservableGauge, value, at(g.labels, a, b))
	})
	for _, c := range m.counters { // after the gauges, which count their errors
		c.series.Range(func(_, v any) bool {
			one := v.(*count)
			o.ObserveInt64(c.Int64ObservableCounter, one.n.Load(), one.at)
			return true
		})
	}
	return nil
}

func (m *meter) close() error {
	if m.registered == nil {
		return nil
	}
	return m.registered.Unregister()
}

// at is the attributes of a series.
func at(labels []string, values ...string) metric.MeasurementOption {
	attrs := make([]attribute.KeyValue, len(labels))
	for i, label := range labels {
		attrs[i] = attribute.String(label, values[i])
	}
	return metric.WithAttributeSet(attribute.NewSet(attrs...))
}

func (c *counter) of(a, b string) *count {
	key := [2]string{a, b}
	if known, ok := c.series.Load(key); ok {
		return known.(*count)
	}
	made, _ := c.series.LoadOrStore(key, &count{at: at(c.labels, a, b)})
	return made.(*count)
}

// Add implements [signals.Recorder].
func (m *meter) Add(s *signals.Metric, n int, a, b string) { m.counters[s].of(a, b).n.Add(int64(n)) }

// Observe implements [signals.Recorder].
func (m *meter) Observe(s *signals.Metric, seconds float64, a, b string) {
	h, key := m.histograms[s], [2]string{a, b}
	known, ok := h.series.Load(key)
	if !ok {
		known, _ = h.series.LoadOrStore(key, []metric.RecordOption{at(h.labels, a, b)})
	}
	h.Record(context.Background(), seconds, known.([]metric.RecordOption)...)
}
