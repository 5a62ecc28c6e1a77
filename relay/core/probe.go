package core

import "time"

// DueProbes returns the destinations to check now, and how long to wait for the
// next. Report each with [Core.Probed], in any order.
func (c *Core) DueProbes(now time.Time, fx *Effects) (due []*Breaker, wait time.Duration) {
	c.begin(now, fx)
	defer c.end()
	wait = time.Hour
	for _, b := range c.breakers.list {
		if b.state != open || b.probing || b.paused {
			continue
		}
		if left := b.next.Sub(now); left > 0 {
			wait = min(wait, left)
			continue
		}
		if b.probing = b.checks; b.probing {
			due = append(due, b)
		} else {
			c.halfOpen(b) // an event is the probe
		}
	}
	return due, wait
}

// Probed reports the result of a check.
func (c *Core) Probed(now time.Time, b *Breaker, err error, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	b.probing = false
	switch {
	case b.state != open: // an event was answered meanwhile
	case err != nil:
		b.wait = min(2*b.wait, lastProbe)
		b.next = now.Add(b.wait)
		c.noteTurn(Note{Kind: NoteStillAway, Target: b.Name, Err: err, Wait: b.wait})
		c.wake(ProbeLoop)
	default:
		c.halfOpen(b)
	}
}

// halfOpen lets single events try the destination.
func (c *Core) halfOpen(b *Breaker) {
	b.state, b.busy = halfOpen, false
	c.noteTurn(Note{Kind: NoteHalfOpen, Target: b.Name})
	c.turned(b, freed, nil)
}
