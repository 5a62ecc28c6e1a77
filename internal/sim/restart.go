package sim

import (
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// restart ends the relay's Run and starts it again in the same process.
func (p *process) restart() {
	p.again = true
	p.shutDown()
}

// rest does what the end of Run does, and starts it again soon.
func (p *process) rest() {
	w := p.world
	p.step(func(c *core.Core) { c.Rest() })
	w.ledger.forgets(p)
	p.after(w.between(0, 3*time.Second), func() {
		if w.plan.foreign && !p.knows && w.since() >= w.plan.faults { // it was replaced meanwhile
			p.ended, p.dead = true, true
			return
		}
		w.say("%s is started again", p.name)
		p.core.Start()
		w.worked()
		p.quits, p.again, p.resting = false, false, false
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
