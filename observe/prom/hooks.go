package prom

import (
	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/observe/internal/signals"
)

// Hooks are for a relay, and for consumers of package inbox. Join them with your
// own by [observe.Tee].
func (m *Metrics) Hooks() observe.Hooks { return m.state.Hooks(m.series) }

// WriteHook counts what a writer has committed, as far as it knows: what is
// neither in InTx nor tracked is not counted.
func (m *Metrics) WriteHook() outbox.WriteHook { return m.state.WriteHook(m.series) }

// Add implements [signals.Recorder].
func (s series) Add(counter *signals.Metric, n int, a, b string) {
	c := s.counters[counter]
	if len(counter.Labels) == 1 {
		c.WithLabelValues(a).Add(float64(n))
		return
	}
	c.WithLabelValues(a, b).Add(float64(n))
}

// Observe implements [signals.Recorder].
func (s series) Observe(histogram *signals.Metric, seconds float64, a, b string) {
	h := s.histograms[histogram]
	if len(histogram.Labels) == 1 {
		h.WithLabelValues(a).Observe(seconds)
		return
	}
	h.WithLabelValues(a, b).Observe(seconds)
}
