package core

import (
	"bytes"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"
)

// happening is what may happen next, as often as its weight says.
type happening struct {
	weight int
	do     func()
}

// happenings are different for each seed: what is rare in one is frequent in another.
func (w *world) happenings() []happening {
	one := func(weights ...int) int { return weights[w.rand.IntN(len(weights))] }
	return []happening{
		{120, func() { w.writers.write(true) }},
		{60, func() { w.writers.write(false) }},
		{120, w.writers.end},
		{60, w.loops.expire},

		{one(60, 120), w.loops.claim},
		{one(60, 20), w.loops.settleAny},
		{one(60, 20, 5), w.loops.hold},
		{one(60, 20), w.loops.take},
		{one(60, 20), w.loops.confirm},
		{one(60, 20), w.loops.probe},
		{one(60, 20), w.loops.tell},
		{180, w.statements.answerAny},

		{one(120, 120, 40, 12), w.deliveries.finishAny},
		{60, w.deliveries.giveUp},
		{one(60, 20), w.deliveries.prove},

		{one(0, 8, 40), w.pause},
		{one(0, 8, 40), w.lockRow},
		{one(0, 1, 5), w.outages.begin},
		{one(0, 8, 40), w.steal},
		{one(0, 1, 5), w.stall},
		{1, w.restart},
	}
}

// happen lets so many things happen.
func (w *world) happen(n int) {
	if w.calm {
		return
	}
	total := 0
	for _, h := range w.may {
		total += h.weight
	}
	for range n {
		at := w.rand.IntN(total)
		for _, h := range w.may {
			if at -= h.weight; at < 0 {
				h.do()
				break
			}
		}
		w.now = w.now.Add(w.upTo(100 * time.Millisecond))
	}
}

// play plays the schedule of a seed: trouble, and then none.
func play(t testing.TB, seed uint64, trace io.Writer) *world {
	w := newWorld(t, seed, trace)
	w.happen(700)
	w.heal()
	return w
}

// OUTBOX_CORE_SCHEDULES plays more of them.
func TestWhateverHappensTheMemoryIsConsistentAndNothingIsLeftBehind(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // a world is small, and would be collected all the time
	n := schedules
	if testing.Short() {
		n = min(n, 100)
	}
	if more, err := strconv.Atoi(os.Getenv("OUTBOX_CORE_SCHEDULES")); err == nil {
		n = more
	}
	saw := map[string]int{}
	for seed := range uint64(n) {
		for what, times := range play(t, seed, nil).saw {
			saw[what] += times
		}
	}
	for _, what := range slices.Sorted(maps.Keys(saw)) {
		if t.Logf("%7d %s", saw[what], what); saw[what] < n/50 {
			t.Errorf("%s: only %d in %d schedules, which show little", what, saw[what], n)
		}
	}
	if len(saw) < 16 {
		t.Errorf("only %d things happened: the schedules show little", len(saw))
	}
}

// OUTBOX_CORE_SEED plays one schedule again, with its trace.
func TestOneRandomSchedule(t *testing.T) {
	if seed, err := strconv.ParseUint(os.Getenv("OUTBOX_CORE_SEED"), 10, 64); err == nil {
		play(t, seed, os.Stdout)
	}
}

func TestASeedGivesTheSameScheduleAgain(t *testing.T) {
	for seed := range uint64(3) {
		var first, second bytes.Buffer
		play(t, seed, &first)
		play(t, seed, &second)
		if first.Len() == 0 || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("seed %d: the second trace differs from the first, of %d bytes", seed, first.Len())
		}
	}
}
