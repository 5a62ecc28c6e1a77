package daemon

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sendoff-go/outbox/observe"
)

// lagLasts is how long a lag is shown that is not reported again: the relay
// looks every 5 s, and says nothing of types without waiting events.
const lagLasts = 12 * time.Second

const maxLags = 10_000

// lags shows how long the earliest due event of each label has been waiting.
type lags struct {
	label func(string) string
	lanes []string
	desc  *prometheus.Desc

	mu    sync.Mutex
	known map[string]lag // by event type
}

type lag struct {
	at  time.Time
	lag time.Duration
}

func newLags(lanes []string, label func(string) string) *lags {
	return &lags{label: label, lanes: lanes, known: map[string]lag{}, desc: prometheus.NewDesc(
		"outbox_oldest_event_lag_seconds", "How long the oldest due event has been waiting; other stands for types that the configuration does not name.", []string{"event_type"}, nil)}
}

func (l *lags) note(i observe.LagInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.known) > maxLags { // nobody asked for long, while types came and went
		clear(l.known)
	}
	l.known[i.Lane] = lag{time.Now(), i.Lag}
}

// Describe implements [prometheus.Collector].
func (l *lags) Describe(ch chan<- *prometheus.Desc) { ch <- l.desc }

// Collect implements [prometheus.Collector].
func (l *lags) Collect(ch chan<- prometheus.Metric) {
	l.mu.Lock()
	defer l.mu.Unlock()
	worst := map[string]time.Duration{}
	for eventType, known := range l.known {
		if time.Since(known.at) > lagLasts {
			delete(l.known, eventType)
			continue
		}
		label := l.label(eventType)
		worst[label] = max(worst[label], known.lag)
	}
	for _, lane := range l.lanes {
		ch <- prometheus.MustNewConstMetric(l.desc, prometheus.GaugeValue, worst[lane].Seconds(), lane)
	}
}
