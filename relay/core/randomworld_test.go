package core

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// The relays of a world: the one of the core, and all others.
const (
	thisRelay  driver.Owner = "this"
	otherRelay driver.Owner = "other"
)

// world is a core with all that it meets: a database, writers, destinations, people
// and other relays. The seed decides everything.
type world struct {
	t          testing.TB
	seed       uint64
	rand       *rand.Rand
	start      time.Time
	now        time.Time
	trace      io.Writer // nil: nobody reads it
	calm       bool      // the faults are over
	restarting bool
	saw        map[string]int // how often something happened that a test without it would miss

	core   *Core
	fx     Effects
	dests  []*Dest
	strays bool // some events have no destination here
	may    []happening

	store      *modelStore
	statements *statements
	outages    *outages
	writers    *writers
	loops      *loops
	rounds     *rounds
	deliveries *deliveries
}

func newWorld(t testing.TB, seed uint64, trace io.Writer) *world {
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	w := &world{
		t: t, seed: seed, rand: rand.New(rand.NewPCG(seed, 7)), start: start, now: start, trace: trace, saw: map[string]int{},
		store: newModelStore(),
	}
	w.statements = &statements{world: w}
	w.outages = newOutages(w)
	w.writers, w.loops, w.deliveries = &writers{world: w}, &loops{world: w}, &deliveries{world: w}
	w.rounds = &rounds{world: w}
	w.strays = w.oneIn(2)
	w.core = New(Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1 << 20, MaxHeld: 10 + w.rand.IntN(100), MaxUnsettled: 2*w.outages.most + 2 + w.rand.IntN(50), SettleBatch: 1 + w.rand.IntN(20),
		Unroutable: Unroutable(w.rand.IntN(3)), Tell: w.oneIn(2), KeepDead: w.oneIn(2),
	})
	w.addLanes()
	w.may = w.happenings()
	w.core.Start()
	w.rounds.maybe()
	return w
}

// addLanes adds three lanes, some of them with two destinations. Some destinations take
// batches or have a check.
func (w *world) addLanes() {
	for i := range 3 {
		w.dests = append(w.dests, w.core.Dests.Add(fmt.Sprint("d", i), w.oneIn(2), w.oneIn(2), nil))
		dests := []*Dest{w.dests[i]}
		if i > 0 && w.oneIn(2) {
			dests = append(dests, w.dests[w.rand.IntN(i)])
		}
		w.core.Lanes.Add(fmt.Sprint("T", i), LaneConfig{
			Workers: 1 + w.rand.IntN(3), HotQueue: w.rand.IntN(6), ColdQueue: 3 + w.rand.IntN(20),
			Batch: 1 + w.rand.IntN(6), DeliverBatch: 1 + w.rand.IntN(4), MaxAttempts: 4, Fair: w.oneIn(2),
			Interval: time.Second, Timeout: 20 * time.Second,
		}, dests)
	}
}

// destOf routes an event: those of one id always go to the same destination.
func (w *world) destOf(lane, id string) *Dest {
	sum := 0
	for _, b := range []byte(id) {
		sum += int(b)
	}
	if w.strays && sum%4 == 0 {
		return nil
	}
	dests := w.core.Lanes.Named(lane).dests
	return dests[sum%len(dests)]
}

// step makes a step of the core, does what that asks for, and checks what must hold.
func (w *world) step(f func(c *Core)) {
	w.core.Step(w.now, &w.fx, f)
	w.hear(w.fx.Notes)
	w.hear(w.fx.Turns)
	w.deliveries.begin(&w.fx)
	w.loops.decided = append(w.loops.decided, w.fx.Decided...)
	w.fx.Reset()
	w.rounds.watch()
	w.check()
}

var turnNames = map[NoteKind]string{
	NoteAway: "is away", NoteStillAway: "is still away", NoteHalfOpen: "is half-open", NoteInVain: "is tried in vain",
	NoteBack: "is back", NotePaused: "is paused", NoteResumed: "is resumed",
}

func (w *world) hear(notes []Note) {
	for _, n := range notes {
		if n.Kind == NoteBug {
			w.violated("%s", n.Text)
		}
		if name := turnNames[n.Kind]; name != "" {
			w.say("%s %s", n.Target, name)
			w.saw["a destination "+name]++
		}
	}
}

// oneIn is true once in so many times.
func (w *world) oneIn(n int) bool { return w.rand.IntN(n) == 0 }

// upTo is a time up to that.
func (w *world) upTo(d time.Duration) time.Duration { return time.Duration(w.rand.Int64N(int64(d))) }

// say writes a line of the trace.
func (w *world) say(format string, args ...any) {
	if w.trace != nil {
		_, _ = fmt.Fprintf(w.trace, "%8.3f %s\n", w.now.Sub(w.start).Seconds(), fmt.Sprintf(format, args...))
	}
}

// violated ends the test.
func (w *world) violated(format string, args ...any) {
	w.t.Helper()
	what := fmt.Sprintf(format, args...)
	w.say("violated: %s", what)
	w.t.Fatalf("seed %d, after %.3f s: %s\nOUTBOX_CORE_SEED=%d go test ./relay/core -run TestOneRandomSchedule -v plays it again, with a trace",
		w.seed, w.now.Sub(w.start).Seconds(), what, w.seed)
}

// nameOf returns the name of a destination for the trace.
func nameOf(d *Dest) string {
	if d == nil {
		return "nowhere"
	}
	return d.Name
}
