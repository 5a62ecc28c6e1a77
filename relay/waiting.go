package relay

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
)

// waiting finds the lanes that have pending rows.
type waiting struct {
	store     driver.Store
	routes    *routes
	unrouted  *unrouted
	poll      wakeup
	oldestLag func(observe.LagInfo)
	unclaimed func(observe.LagInfo)
}

// lookPage is the number of lanes read at once.
const lookPage = 1000

// each calls f for every lane with pending rows.
func (l *waiting) each(ctx context.Context, f func(driver.WaitingLane)) error {
	for last := ""; ; {
		lanes, err := l.store.Lanes(ctx, last, lookPage)
		if err != nil {
			return err
		}
		for _, w := range lanes {
			f(w)
			last = w.Lane
		}
		if len(lanes) < lookPage {
			return nil
		}
	}
}

// look notes the lanes with pending rows.
func (l *waiting) look(ctx context.Context) error { return l.each(ctx, l.note) }

// note notes a lane with pending rows. A type that matches a pattern becomes a
// lane when it is first seen.
func (l *waiting) note(w driver.WaitingLane) {
	lag := max(w.Age, 0)
	if l.routes.lane(w.Lane) != nil { // a new one is polled at once
		l.poll.signal()
		call(l.oldestLag, observe.LagInfo{Lane: w.Lane, Lag: lag})
		return
	}
	call(l.unclaimed, observe.LagInfo{Lane: w.Lane, Lag: lag})
	if w.Age > 0 {
		l.unrouted.lane(w, l.routes.similar)
	}
}
