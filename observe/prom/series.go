package prom

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sendoff-go/outbox/observe/internal/signals"
)

// series are the metrics of this system. They do not change once they are made.
type series struct {
	counters   map[*signals.Metric]*prometheus.CounterVec
	histograms map[*signals.Metric]*prometheus.HistogramVec
	gauges     map[*signals.Metric]*prometheus.Desc
}

func newSeries() series {
	s := series{map[*signals.Metric]*prometheus.CounterVec{}, map[*signals.Metric]*prometheus.HistogramVec{}, map[*signals.Metric]*prometheus.Desc{}}
	for _, m := range signals.Counters {
		s.counters[m] = prometheus.NewCounterVec(prometheus.CounterOpts{Name: m.Name, Help: m.Help}, m.Labels)
	}
	for _, m := range signals.Histograms {
		// Native where the server scrapes native ones.
		s.histograms[m] = prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: m.Name, Help: m.Help, Buckets: signals.Buckets,
			NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 100, NativeHistogramMinResetDuration: time.Hour,
		}, m.Labels)
	}
	for _, m := range signals.Gauges {
		s.gauges[m] = prometheus.NewDesc(m.Name, m.Help, m.Labels, nil)
	}
	return s
}

// begin makes a series.
func (s series) begin(m *signals.Metric, a, b string) {
	values := []string{a, b}[:len(m.Labels)]
	if c := s.counters[m]; c != nil {
		c.WithLabelValues(values...)
	} else {
		s.histograms[m].WithLabelValues(values...)
	}
}

func (s series) collectors() (all []prometheus.Collector) {
	for _, c := range s.counters {
		all = append(all, c)
	}
	for _, h := range s.histograms {
		all = append(all, h)
	}
	return all
}
