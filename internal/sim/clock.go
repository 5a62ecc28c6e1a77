package sim

import (
	"math/rand/v2"
	"time"
	"unsafe"
)

// clock is the clock of a process. Like that of a machine it has two parts: the wall
// clock, which people and daemons set, and the monotonic one, which nobody sets.
type clock struct {
	offset  time.Duration // of the wall clock from the database's
	forward bool          // it was set forward, which looks like a machine that slept
}

// read returns the time as time.Now would.
func (c *clock) read(w *world) time.Time {
	return reading(w.now.Add(c.offset), time.Second+w.since())
}

// planClocks sets clocks forward and back in some schedules: those of all processes, as
// of one machine, or of one. It has a chance of its
// own, so that the others stay as they are.
func (w *world) planClocks() {
	chance := rand.New(rand.NewPCG(w.seed, 45))
	if chance.IntN(4) > 0 {
		return
	}
	ahead := chance.IntN(3) == 0
	for range 1 + chance.IntN(4) {
		by := time.Duration(1+chance.Int64N(int64(10*time.Hour))) * time.Nanosecond
		if !ahead {
			by = -by
		}
		all, which := chance.IntN(2) == 0, chance.IntN(1<<20)
		w.after(time.Duration(chance.Int64N(int64(w.plan.faults))), func() {
			for i, p := range w.processes {
				if !p.dead && (all || i == which%len(w.processes)) {
					p.clock.set(by)
					w.say("%s: its clock is set by %s", p.name, by)
				}
			}
		})
	}
}

// set sets the wall clock.
func (c *clock) set(by time.Duration) {
	c.offset += by
	c.forward = c.forward || by > 0
}

// reading makes a time with a monotonic part, which package time lets nobody choose:
// without one a clock that is set back would stop every timer, as it does not.
func reading(wall time.Time, monotonic time.Duration) (t time.Time) {
	const (
		hasMonotonic = 1 << 63
		secondsShift = 30
		from1885     = 2682288000 // from there to 1970
	)
	parts := (*struct {
		wall uint64
		ext  int64
	})(unsafe.Pointer(&t))
	parts.wall = hasMonotonic | uint64(wall.Unix()+from1885)<<secondsShift | uint64(wall.Nanosecond())
	parts.ext = int64(monotonic)
	return t
}
