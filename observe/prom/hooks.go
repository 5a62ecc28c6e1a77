package prom

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/sendoff-go/outbox/observe"
)

// Hooks are for a relay, and for consumers of package inbox. Join them with your
// own by [observe.Tee].
func (m *Metrics) Hooks() observe.Hooks {
	label := m.config.Label
	events := func(c *prometheus.CounterVec) func(observe.QueueInfo) {
		return func(i observe.QueueInfo) { c.WithLabelValues(label(i.Lane)).Add(float64(i.N)) }
	}
	consumed := func(what string) func(observe.ConsumeInfo) {
		return func(i observe.ConsumeInfo) { m.consumed.WithLabelValues(what).Add(float64(i.N)) }
	}
	return observe.Hooks{
		HotEnqueued:  events(m.enqueued[hotEnqueued]),
		HotDropped:   events(m.enqueued[hotDropped]),
		ColdEnqueued: events(m.enqueued[coldEnqueued]),
		QueueDepths:  m.depths.note,
		Delivered:    m.deliveredOne,
		Failed: func(i observe.FailedInfo) {
			if i.Counted {
				m.sent.WithLabelValues(label(i.Event.Type), "failed").Inc()
			}
		},
		Dead:      m.dead,
		Recovered: func(i observe.QueueInfo) { m.internal.WithLabelValues("recovered").Add(float64(i.N)) },
		Swept:     func(i observe.StatementInfo) { m.internal.WithLabelValues("cleaned").Add(float64(i.Rows)) },
		OldestLag: m.lags.note,
		Unclaimed: m.lags.note,
		LoopError: func(i observe.LoopErrorInfo) { m.errors.WithLabelValues(i.Loop).Inc() },
		Breaker:   m.breaker,

		Consumed:      consumed("consumed"),
		Duplicated:    consumed("duplicated"),
		ConsumeFailed: consumed("failed"),
		Forgotten:     consumed("cleaned"),
		CacheHit:      consumed("cache_hit"),
		CacheMiss:     consumed("cache_miss"),
	}
}

func (m *Metrics) deliveredOne(i observe.DeliveredInfo) {
	label, path := m.config.Label(i.Event.Type), "cold"
	if i.Hot {
		path = "hot"
	}
	m.sent.WithLabelValues(label, "processed").Inc()
	m.delivered.WithLabelValues(label).Inc()
	m.took.WithLabelValues(label).Observe(i.Took.Seconds())
	m.latency.WithLabelValues(label, path).Observe((i.Waited + i.Took).Seconds())
}

func (m *Metrics) dead(i observe.FailedInfo) {
	label := m.config.Label(i.Event.Type)
	m.sent.WithLabelValues(label, "failed").Inc()
	m.failed.WithLabelValues(label).Inc()
	m.letters.WithLabelValues(label, "moved").Inc()
	m.internal.WithLabelValues("attempt_move_to_dlq").Inc()
	m.internal.WithLabelValues("success_moved_to_dlq").Inc() // the settle is repeated until it is
}

func (m *Metrics) breaker(i observe.BreakerInfo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i.Open {
		m.open[i.Target] = true
	} else {
		delete(m.open, i.Target)
	}
	m.down.Set(float64(len(m.open)))
}
