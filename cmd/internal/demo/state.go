package demo

import (
	"sync"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/tally"
)

// State is a demo at one moment.
type State struct {
	Phase   Phase
	Elapsed time.Duration
	Total   Lane
	Lanes   []Lane
	Notes   []Note // the latest, oldest first
	// Troubles counts errors, of which Trouble is the latest, and Failed the
	// business transactions that failed.
	Troubles int
	Trouble  string
	Failed   int
	// PerSecond is the number of events delivered in each of the last seconds,
	// oldest first.
	PerSecond []int64
	// Console is the address of the console; "" if there is none.
	Console string
}

// Lane is one lane, or all together. Rates and latencies are those of the last
// seconds.
type Lane struct {
	Name string
	tally.Counts
	WriteRate, DeliverRate float64
	P50, P99               time.Duration
	Max                    time.Duration // since the start
}

// window is what rates and latencies are computed over.
const window = 5 * time.Second

// kept is how many seconds the course of deliveries shows.
const kept = 120

// watch remembers the past seconds.
type watch struct {
	books *books
	start time.Time

	mu      sync.Mutex
	samples []sample // one a second, oldest first
	course  []int64
}

type sample struct {
	at        time.Time
	delivered int64
	lanes     map[string]laneSample
}

type laneSample struct {
	counts  tally.Counts
	latency *tally.Snapshot
}

func (w *watch) begin(b *books) {
	w.books, w.start = b, time.Now()
	w.samples = []sample{w.sample()}
}

func (w *watch) sample() sample {
	s := sample{at: time.Now(), lanes: map[string]laneSample{}}
	for name, l := range w.books.ledgers {
		s.lanes[name] = laneSample{l.Counts(), l.Latency.Snapshot()}
		s.delivered += s.lanes[name].counts.Delivered
	}
	return s
}

// State is what the demo is doing now. Call it every second or more often.
func (d *Demo) State() State {
	d.mu.Lock()
	st := State{Phase: d.phase, Console: d.ConsoleURL()}
	d.mu.Unlock()
	d.watch.read(&st)
	d.notes.read(&st)
	return st
}

func (w *watch) read(st *State) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.sample()
	st.Elapsed = now.at.Sub(w.start)
	w.remember(now)
	base := w.samples[0]
	seconds := now.at.Sub(base.at).Seconds()
	all := &tally.Snapshot{}
	for _, name := range types {
		was, is := base.lanes[name], now.lanes[name]
		recent := is.latency.Since(was.latency)
		if hasListener(name) {
			all = all.Add(recent)
		}
		l := Lane{Name: name, Counts: is.counts, P50: recent.Quantile(0.5), P99: recent.Quantile(0.99), Max: is.latency.Quantile(1)}
		if seconds > 0 {
			l.WriteRate = float64(is.counts.Written-was.counts.Written) / seconds
			l.DeliverRate = float64(is.counts.Delivered-was.counts.Delivered) / seconds
		}
		st.Lanes = append(st.Lanes, l)
		st.Total.Counts = st.Total.Add(is.counts)
		st.Total.WriteRate += l.WriteRate
		st.Total.DeliverRate += l.DeliverRate
		if hasListener(name) {
			st.Total.Max = max(st.Total.Max, l.Max)
		}
	}
	st.Total.P50, st.Total.P99 = all.Quantile(0.5), all.Quantile(0.99)
	st.PerSecond = append([]int64(nil), w.course...)
}

// remember keeps a sample for every second, and those of the window.
func (w *watch) remember(now sample) {
	last := w.samples[len(w.samples)-1]
	if now.at.Sub(last.at) < time.Second {
		return
	}
	w.samples = append(w.samples, now)
	w.course = append(w.course, now.delivered-last.delivered)
	if len(w.course) > kept {
		w.course = append(w.course[:0], w.course[1:]...)
	}
	for len(w.samples) > 1 && now.at.Sub(w.samples[1].at) >= window {
		w.samples = append(w.samples[:0], w.samples[1:]...)
	}
}
