package sim

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// lookPaused is the time between two looks of a relay at what is paused.
const lookPaused = 1250 * time.Millisecond

// pausable are the types that people pause, or their destinations: one that has outages
// (more often), one that takes batches, and one that shares its keys with another.
var pausable = []string{"away", "away", "batched", "cancelled"}

// planPauses lets a person pause a destination, or a type, in some schedules. It has a chance
// of its own, so that the others stay as they are.
func (w *world) planPauses() {
	chance := rand.New(rand.NewPCG(w.seed, 43))
	if (w.plan.class != Destinations && w.plan.class != Storm) || chance.IntN(2) == 0 {
		return
	}
	w.plan.paused, w.plan.lane = pausable[chance.IntN(len(pausable))], chance.IntN(3) == 0
	at := time.Duration(0)
	for range 1 + chance.IntN(3) { // one after the other
		from := at + time.Duration(chance.Int64N(int64(10*time.Second)))
		at = from + time.Duration(chance.Int64N(int64(15*time.Second)))
		w.plan.pauses = append(w.plan.pauses, window{from, at})
		w.after(from, func() { w.pause(true) })
		w.after(at, func() { w.pause(false) })
	}
}

func (w *world) pause(paused bool) {
	w.say("a person sets the pause of %s to %t", w.plan.paused, paused)
	what := driver.PausableDestination(w.plan.paused)
	if w.plan.lane {
		what = driver.PausableLane(w.plan.paused)
	}
	if err := w.store.SetPaused(context.Background(), what, paused, "ann"); err != nil {
		panic(err) // cannot happen: the names are valid
	}
}

// look does what the relay does at intervals.
func (p *process) look() {
	if p.world.plan.paused == "" || p.ended {
		return
	}
	if !p.resting {
		p.lookOnce()
	}
	p.after(lookPaused, p.look)
}

func (p *process) lookOnce() {
	if p.world.databaseDown() {
		return
	}
	all, err := p.world.store.Paused(context.Background())
	if err != nil {
		panic(err) // cannot happen: it is in memory
	}
	lanes, dests := driver.Pauses(all, driver.LanePause), driver.Pauses(all, driver.DestinationPause)
	p.paused = slices.Concat(lanes, dests)
	p.step(func(c *core.Core) { c.Pause(core.Paused{Lanes: lanes, Dests: dests}) })
}
