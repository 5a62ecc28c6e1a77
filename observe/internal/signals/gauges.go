package signals

import (
	"time"

	"github.com/sendoff-go/outbox/observe"
)

// Emit is told the value of a gauge and of its labels, of which it uses as many
// as the metric has.
type Emit func(m *Metric, value float64, a, b string)

// Gauges tells every gauge, the same series each time. A count that fails is
// recorded: its gauges do not show it.
func (s *State) Gauges(r Recorder, emit Emit) {
	down, paused := s.destinations()
	emit(Down, float64(down), "", "")
	emit(Paused, float64(paused), "", "")
	s.emitDepths(emit)
	s.emitLags(emit)
	s.emitCounts(r, emit)
}

// emitDepths adds up the types of a label.
func (s *State) emitDepths(emit Emit) {
	hot, cold := map[string]int{}, map[string]int{}
	s.depths.each(func(eventType string, i observe.QueueDepthsInfo) {
		label := s.config.Label(eventType)
		hot[label] += i.Hot
		cold[label] += i.Cold
	})
	for _, t := range s.config.Types {
		emit(Depth, float64(hot[t]), t, "hot")
		emit(Depth, float64(cold[t]), t, "cold")
	}
}

// emitLags takes the longest of the types of a label.
func (s *State) emitLags(emit Emit) {
	worst := map[string]time.Duration{}
	s.lags.each(func(eventType string, lag time.Duration) {
		label := s.config.Label(eventType)
		worst[label] = max(worst[label], lag)
	})
	for _, t := range s.config.Types {
		emit(Lag, worst[t].Seconds(), t, "")
	}
}

func (s *State) emitCounts(r Recorder, emit Emit) {
	events, dead := !s.config.NoEvents, !s.config.NoDead
	if !events && !dead {
		return
	}
	stats, err := s.counts.count()
	if err != nil {
		r.Add(LoopErrors, 1, "count", "")
	}
	waiting, held, letters := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, l := range stats.Lanes {
		label := s.config.Label(l.Lane)
		waiting[label] += l.Waiting.N
		held[label] += l.Held.N
		letters[label] += l.Dead.N
	}
	if events {
		emit(Total, float64(stats.Waiting.N+stats.Held.N), "", "")
		emit(ByStatus, float64(stats.Waiting.N), "pending", "")
		emit(ByStatus, float64(stats.Held.N), "in_process", "")
		emit(Bounded, truth(stats.Waiting.More), "events", "")
		emit(Oldest, stats.OldestDue.Seconds(), "", "")
	}
	if dead {
		emit(Dead, float64(stats.Dead.N), "", "")
		emit(DeadByStatus, float64(stats.Dead.N), "moved", "")
		emit(Bounded, truth(stats.Dead.More), "dead_letters", "")
	}
	for _, t := range s.config.Types {
		if events {
			emit(ByType, float64(waiting[t]), t, "pending")
			emit(ByType, float64(held[t]), t, "in_process")
		}
		if dead {
			emit(DeadByType, float64(letters[t]), t, "moved")
		}
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
