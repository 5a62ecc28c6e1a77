package signals

import (
	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
)

// Recorder counts. The values are those of the metric's labels, of which it uses
// as many as the metric has. It must be safe for concurrent use.
type Recorder interface {
	Add(counter *Metric, n int, a, b string)
	Observe(histogram *Metric, seconds float64, a, b string)
}

// Hooks are for a relay, and for consumers of package inbox.
func (s *State) Hooks(r Recorder) observe.Hooks {
	label := s.config.Label
	events := func(c *Metric) func(observe.QueueInfo) {
		return func(i observe.QueueInfo) { r.Add(c, i.N, label(i.Lane), "") }
	}
	consumed := func(what string) func(observe.ConsumeInfo) {
		return func(i observe.ConsumeInfo) { r.Add(Consumed, i.N, what, "") }
	}
	return observe.Hooks{
		HotEnqueued:  events(HotEnqueued),
		HotDropped:   events(HotDropped),
		ColdEnqueued: events(ColdEnqueued),
		QueueDepths:  func(i observe.QueueDepthsInfo) { s.depths.note(i.Lane, i) },
		Delivered:    func(i observe.DeliveredInfo) { delivered(r, label(i.Event.Type), i) },
		Failed: func(i observe.FailedInfo) {
			if i.Counted {
				r.Add(Sent, 1, label(i.Event.Type), "failed")
			}
		},
		Dead:      func(i observe.FailedInfo) { dead(r, label(i.Event.Type)) },
		Recovered: func(i observe.QueueInfo) { r.Add(Internal, i.N, "recovered", "") },
		Swept:     func(i observe.StatementInfo) { r.Add(Internal, i.Rows, "cleaned", "") },
		OldestLag: s.lag,
		Unclaimed: s.lag,
		LoopError: func(i observe.LoopErrorInfo) { r.Add(LoopErrors, 1, i.Loop, "") },
		Breaker:   s.breaker,
		Paused:    s.pause,

		Consumed:      consumed("consumed"),
		Duplicated:    consumed("duplicated"),
		ConsumeFailed: consumed("failed"),
		Forgotten:     consumed("cleaned"),
		CacheHit:      consumed("cache_hit"),
		CacheMiss:     consumed("cache_miss"),
	}
}

func (s *State) lag(i observe.LagInfo) { s.lags.note(i.Lane, i.Lag) }

func delivered(r Recorder, label string, i observe.DeliveredInfo) {
	path := "cold"
	if i.Hot {
		path = "hot"
	}
	r.Add(Sent, 1, label, "processed")
	r.Add(Delivered, 1, label, "")
	r.Observe(Took, i.Took.Seconds(), label, "")
	r.Observe(Latency, (i.Waited + i.Took).Seconds(), label, path)
	r.Observe(Age, i.Age.Seconds(), label, i.Target)
}

func dead(r Recorder, label string) {
	r.Add(Sent, 1, label, "failed")
	r.Add(Failed, 1, label, "")
	r.Add(Letters, 1, label, "moved")
	r.Add(Internal, 1, "attempt_move_to_dlq", "")
	r.Add(Internal, 1, "success_moved_to_dlq", "") // the settle is repeated until it is
}

// WriteHook counts what a writer has committed, as far as it knows: what is
// neither in InTx nor tracked is not counted.
func (s *State) WriteHook(r Recorder) outbox.WriteHook {
	return outbox.WriteHook{AfterCommit: func(es []outbox.Event) {
		for i := range es {
			r.Add(Written, 1, s.config.Label(es[i].Type), "")
		}
	}}
}

// Begin tells every series of counters and histograms that exists from the start.
func (s *State) Begin(begin func(m *Metric, a, b string)) {
	for _, t := range s.config.Types {
		begin(Sent, t, "processed")
		begin(Sent, t, "failed")
		begin(Letters, t, "moved")
		for _, c := range []*Metric{HotEnqueued, HotDropped, ColdEnqueued, Written, Delivered, Failed, Took} {
			begin(c, t, "")
		}
		begin(Latency, t, "hot")
		begin(Latency, t, "cold")
	}
	for _, t := range []string{"attempt_move_to_dlq", "success_moved_to_dlq", "recovered", "cleaned"} {
		begin(Internal, t, "")
	}
	for _, t := range []string{"consumed", "duplicated", "failed", "cleaned", "cache_hit", "cache_miss"} {
		begin(Consumed, t, "")
	}
	for _, loop := range []string{"announce", "claim", "confirm", "count", "forget", "listen", "look", "renew", "settle", "sweep", "sweep dead letters", "sweep the audit log", "take"} {
		begin(LoopErrors, loop, "")
	}
}
