package prom

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sendoff-go/outbox/observe"
)

// lags shows how long the earliest due event of each label has been waiting.
type lags struct {
	config Config
	desc   *prometheus.Desc
	recent recent[time.Duration]
}

func newLags(c Config) *lags {
	return &lags{config: c, desc: prometheus.NewDesc("outbox_oldest_event_lag_seconds",
		"How long the oldest due event has been waiting; other stands for types that the configuration does not name.", []string{"event_type"}, nil)}
}

func (l *lags) note(i observe.LagInfo) { l.recent.note(i.Lane, i.Lag) }

// Describe implements [prometheus.Collector].
func (l *lags) Describe(ch chan<- *prometheus.Desc) { ch <- l.desc }

// Collect implements [prometheus.Collector].
func (l *lags) Collect(ch chan<- prometheus.Metric) {
	worst := map[string]time.Duration{}
	l.recent.each(func(eventType string, lag time.Duration) {
		label := l.config.Label(eventType)
		worst[label] = max(worst[label], lag)
	})
	for _, t := range l.config.Types {
		ch <- prometheus.MustNewConstMetric(l.desc, prometheus.GaugeValue, worst[t].Seconds(), t)
	}
}
