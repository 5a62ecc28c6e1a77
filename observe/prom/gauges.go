package prom

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sendoff-go/outbox/driver"
)

// countTimeout bounds a count: a scrape waits for it.
const countTimeout = 5 * time.Second

// gauges are counted in the database and kept for a while. The counting stops at
// a bound.
type gauges struct {
	config Config

	mu    sync.Mutex
	store driver.StatsStore
	at    time.Time
	stats driver.Stats

	total, byStatus, byType        *prometheus.Desc
	dead, deadByStatus, deadByType *prometheus.Desc
	bounded, oldest                *prometheus.Desc
}

func newGauges(c Config) *gauges {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &gauges{
		config: c, store: c.Store,
		total:        desc("outbox_events", "Events that are waiting or being delivered, counted up to a bound."),
		byStatus:     desc("outbox_events_by_status", "The same by status.", "status"),
		byType:       desc("outbox_events_by_event_type_and_status", "The same by type and status.", "event_type", "status"),
		dead:         desc("outbox_dlq_events", "Open dead letters, counted up to a bound."),
		deadByStatus: desc("outbox_dlq_events_by_status", "The same by status.", "status"),
		deadByType:   desc("outbox_dlq_events_by_event_type_and_status", "The same by type and status.", "event_type", "status"),
		bounded:      desc("outbox_count_bounded", "1 if counting stopped at its bound, so that there are more.", "of"),
		oldest:       desc("outbox_oldest_due_seconds", "How long the earliest due event of all types has waited, as the database has it."),
	}
}

func (g *gauges) from(s driver.StatsStore) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.store = s
}

// Describe implements [prometheus.Collector].
func (g *gauges) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{g.total, g.byStatus, g.byType, g.dead, g.deadByStatus, g.deadByType, g.bounded, g.oldest} {
		ch <- d
	}
}

// count asks the database, unless the last answer still serves. A database that
// is down leaves the last numbers.
func (g *gauges) count() driver.Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.store != nil && (g.at.IsZero() || time.Since(g.at) > g.config.Keep) {
		ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
		defer cancel()
		if s, err := g.store.Stats(ctx); err == nil {
			g.stats, g.at = s, time.Now()
		}
	}
	return g.stats
}

// Collect implements [prometheus.Collector].
func (g *gauges) Collect(ch chan<- prometheus.Metric) {
	events, dead := !g.config.NoEvents, !g.config.NoDead
	if !events && !dead {
		return
	}
	stats := g.count()
	send := func(d *prometheus.Desc, n float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, n, labels...)
	}
	waiting, held, letters := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, l := range stats.Lanes {
		label := g.config.Label(l.Lane)
		waiting[label] += l.Waiting.N
		held[label] += l.Held.N
		letters[label] += l.Dead.N
	}
	if events {
		send(g.total, float64(stats.Waiting.N+stats.Held.N))
		send(g.byStatus, float64(stats.Waiting.N), "pending")
		send(g.byStatus, float64(stats.Held.N), "in_process")
		send(g.bounded, truth(stats.Waiting.More || stats.Held.More), "events")
		send(g.oldest, stats.OldestDue.Seconds())
	}
	if dead {
		send(g.dead, float64(stats.Dead.N))
		send(g.deadByStatus, float64(stats.Dead.N), "moved")
		send(g.bounded, truth(stats.Dead.More), "dead_letters")
	}
	for _, t := range g.config.Types {
		if events {
			send(g.byType, float64(waiting[t]), t, "pending")
			send(g.byType, float64(held[t]), t, "in_process")
		}
		if dead {
			send(g.deadByType, float64(letters[t]), t, "moved")
		}
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
