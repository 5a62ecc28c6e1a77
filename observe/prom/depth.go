package prom

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/sendoff-go/outbox/observe"
)

// depths shows how many events of each label wait in memory.
type depths struct {
	config Config
	desc   *prometheus.Desc
	recent recent[observe.QueueDepthsInfo]
}

func newDepths(c Config) *depths {
	return &depths{config: c, desc: prometheus.NewDesc("outbox_queue_depth", "Events that wait in memory, at the last claim.", []string{"event_type", "queue"}, nil)}
}

func (d *depths) note(i observe.QueueDepthsInfo) { d.recent.note(i.Lane, i) }

// Describe implements [prometheus.Collector].
func (d *depths) Describe(ch chan<- *prometheus.Desc) { ch <- d.desc }

// Collect implements [prometheus.Collector].
func (d *depths) Collect(ch chan<- prometheus.Metric) {
	hot, cold := map[string]int{}, map[string]int{}
	d.recent.each(func(eventType string, i observe.QueueDepthsInfo) {
		label := d.config.Label(eventType)
		hot[label] += i.Hot
		cold[label] += i.Cold
	})
	for _, t := range d.config.Types {
		ch <- prometheus.MustNewConstMetric(d.desc, prometheus.GaugeValue, float64(hot[t]), t, "hot")
		ch <- prometheus.MustNewConstMetric(d.desc, prometheus.GaugeValue, float64(cold[t]), t, "cold")
	}
}
