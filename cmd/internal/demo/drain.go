package demo

import (
	"context"
	"slices"
	"time"
)

// drain waits until every event is delivered or given up, except those that somebody
// has paused.
func (d *Demo) drain(ctx context.Context) {
	limit := time.NewTimer(d.cfg.Drain)
	defer limit.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	var asked time.Time
	for {
		if time.Since(asked) > time.Second {
			asked = time.Now()
			d.lookForPauses(ctx)
		}
		if d.books.counts(d.paused).Open() == 0 {
			return
		}
		select {
		case <-look.C:
		case <-limit.C:
			return
		case <-d.abandoned:
			return
		}
	}
}

// drainAsked waits for what people asked for last, which is known only from the
// table. The console must be closed.
func (d *Demo) drainAsked(ctx context.Context) {
	if !d.people.acted {
		return
	}
	limit := time.NewTimer(d.cfg.Drain)
	defer limit.Stop()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		d.lookForPauses(ctx)
		if !d.anyMoves(ctx) {
			return
		}
		select {
		case <-look.C:
		case <-limit.C:
			return
		case <-d.abandoned:
			return
		}
	}
}

// aLook bounds one query: the database may be down, and the demo must still end.
const aLook = time.Second

// anyMoves reports whether an event in the table will be delivered, or given up.
func (d *Demo) anyMoves(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, aLook)
	defer cancel()
	some, err := d.pending(ctx)
	return err != nil || slices.ContainsFunc(some, func(p place) bool { return !d.paused[p.lane] })
}

// lookForPauses learns what is paused. It keeps what it knows if the database is down.
func (d *Demo) lookForPauses(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, aLook)
	defer cancel()
	if paused, err := d.pausedTypes(ctx); err == nil {
		d.paused = paused
	}
}
