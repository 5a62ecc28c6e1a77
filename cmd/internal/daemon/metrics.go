package daemon

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/observe/prom"
)

// metrics are those of the library, with the labels of the configuration, and of
// the process.
type metrics struct {
	*prom.Metrics
	config   prom.Config
	registry *prometheus.Registry
}

func newMetrics(c *config.Config, label func(string) string) *metrics {
	p := c.Publisher
	events, dead := p.Enabled && p.Metrics.Gauge.Enabled, p.Enabled && p.DLQ.Metrics.Gauge.Enabled
	pc := prom.Config{Types: slices.Collect(maps.Keys(p.Events)), Label: label, NoEvents: !events, NoDead: !dead, Keep: keep(c, events, dead)}
	m := &metrics{registry: prometheus.NewRegistry(), Metrics: prom.New(pc), config: pc}
	m.registry.MustRegister(m.Metrics, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// keep is the shortest time for which a count is kept.
func keep(c *config.Config, events, dead bool) time.Duration {
	shortest := time.Hour
	for _, m := range []struct {
		on   bool
		ttls []config.Duration
	}{{events, c.Publisher.Metrics.Gauge.Cache.TTLs}, {dead, c.Publisher.DLQ.Metrics.Gauge.Cache.TTLs}} {
		for _, ttl := range m.ttls {
			if m.on {
				shortest = min(shortest, max(ttl.Std(), time.Nanosecond))
			}
		}
	}
	return shortest
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}
