package sim

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/sendoff-go/outbox/store/memstore"
)

// world is everything: time, chance, the database, and the future actions.
type world struct {
	seed    uint64
	rand    *rand.Rand
	now     time.Time
	start   time.Time
	todo    todo
	order   int // of actions at the same time
	store   *memstore.Store
	plan    plan
	ledger  *ledger
	options Options
	steps   int
	locked  map[string]time.Time // until when, by event id

	working []time.Time // when processes began to work, after none did

	processes []*process
	writers   int // transactions that are still open
	claims    int // that were answered
}

// todo is the queue of future actions, the earliest first.
type todo []thing

type thing struct {
	at    time.Time
	order int
	do    func()
}

func (q todo) Len() int { return len(q) }
func (q todo) Less(i, j int) bool {
	if q[i].at.Equal(q[j].at) {
		return q[i].order < q[j].order
	}
	return q[i].at.Before(q[j].at)
}
func (q todo) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *todo) Push(x any)   { *q = append(*q, x.(thing)) }
func (q *todo) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	(*q)[last] = thing{}
	*q = (*q)[:last]
	return x
}

func newWorld(seed uint64, class Class, o Options) *world {
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	w := &world{seed: seed, rand: rand.New(rand.NewPCG(seed, 42)), now: start, start: start, options: o, locked: map[string]time.Time{}}
	w.ledger = newLedger(w)
	w.plan = makePlan(w, class)
	w.store = memstore.New(memstore.Config{Now: func() time.Time { return w.now }})
	return w
}

// after schedules an action.
func (w *world) after(d time.Duration, do func()) {
	w.order++
	heap.Push(&w.todo, thing{w.now.Add(max(d, 0)), w.order, do})
}

// step runs the next action, unless that is after the end.
func (w *world) step(end time.Time) bool {
	if len(w.todo) == 0 || w.todo[0].at.After(end) {
		return false
	}
	next := heap.Pop(&w.todo).(thing)
	w.now = next.at
	w.steps++
	next.do()
	return true
}

// since is the time from the beginning.
func (w *world) since() time.Duration { return w.now.Sub(w.start) }

func (w *world) say(format string, args ...any) {
	if w.options.Trace != nil {
		fmt.Fprintf(w.options.Trace, "%10.4fs  %s\n", w.since().Seconds(), fmt.Sprintf(format, args...))
	}
}

// chance is true with that probability.
func (w *world) chance(p float64) bool { return w.rand.Float64() < p }

// between is a random time in that range, the shorter ones more often.
func (w *world) between(a, b time.Duration) time.Duration {
	f := w.rand.Float64()
	return a + time.Duration(f*f*float64(b-a))
}
