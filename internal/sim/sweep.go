package sim

import (
	"context"
	"time"
)

// sweepEvery is the time between two sweeps of delivered rows that are as old.
const sweepEvery = 15 * time.Second

// sweep deletes delivered rows. It takes all that are old enough, since the store has
// no order in which it would take a part of them.
func (p *process) sweep() {
	if p.ended {
		return
	}
	if !p.world.databaseDown() {
		n, err := p.world.store.Sweep(context.Background(), sweepEvery, 1<<30)
		must(err)
		if n > 0 {
			p.world.say("%s: sweeps %d rows", p.name, n)
		}
	}
	p.after(sweepEvery, p.sweep)
}
