package sim

import (
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// restart ends the relay's Run and starts it again in the same process.
func (p *process) restart() {
	p.again = true
	if p.world.plan.class == Clean {
		p.writeAcross()
	}
	p.shutDown()
}

// writeAcross writes an event before the relay's Run ends, commits it before that is
// started again, and soon afterwards writes another one of its key.
func (p *process) writeAcross() {
	w := p.world
	early := w.begin(p)
	early.shares = true
	early.insert()
	p.open = append(p.open, early.end, func() {
		late := w.begin(p)
		late.key, late.shares, late.left = early.key, true, 1
		w.after(w.between(0, 3*time.Second), late.next)
	})
}

// rest does what the end of Run does, and starts it again soon.
func (p *process) rest() {
	w := p.world
	p.step(func(c *core.Core) { c.Rest() })
	for _, end := range p.open {
		end()
	}
	p.open = nil
	w.ledger.forgets(p)
	p.after(w.between(0, 3*time.Second), func() {
		if w.plan.foreign && !p.knows && w.since() >= w.plan.faults { // it was replaced meanwhile
			p.ended, p.dead = true, true
			return
		}
		w.say("%s is started again", p.name)
		p.core.Start()
		w.worked()
		p.quits, p.again, p.resting, p.stops = false, false, false, false
		if w.plan.paused != "" {
			p.lookOnce()
		}
	})
}

// pauses reports whether the loop must not go on, since the Run has ended. If it is
// started again, the loop waits for that.
func (p *process) pauses(which core.Loops) bool {
	if p.quits && p.again {
		p.loops[which].nap(10 * time.Millisecond)
	}
	return p.quits
}
