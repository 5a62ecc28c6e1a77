package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
)

// lookLoop looks at intervals which lanes wait, and what people paused.
func (r *Relay) lookLoop(ctx context.Context) {
	for {
		if err := r.look(ctx); err != nil {
			r.loopError(ctx, "look", err)
		}
		if !pause(ctx, r.cfg.LookInterval, nil) {
			return
		}
	}
}

// lookPage is the number of lanes read at once.
const lookPage = 1000

func (r *Relay) look(ctx context.Context) error {
	if err := r.lookPaused(ctx); err != nil {
		return err
	}
	for last := ""; ; {
		lanes, err := r.store.Lanes(ctx, last, lookPage)
		if err != nil {
			return err
		}
		for _, l := range lanes {
			r.waiting(l)
			last = l.Lane
		}
		if len(lanes) < lookPage {
			return nil
		}
	}
}

// waiting takes note of a lane with pending rows. A type that matches a
// pattern becomes a lane when it is first seen.
func (r *Relay) waiting(w outbox.WaitingLane) {
	r.mu.Lock()
	known := r.lanes[w.Lane] != nil
	l := r.lane(w.Lane)
	if l != nil && !known {
		r.wakeLane(l)
	}
	warn := l == nil && w.Age > 0 && !r.warned[w.Lane]
	if warn {
		r.warned[w.Lane] = true
	}
	r.mu.Unlock()
	info := outbox.LagInfo{Lane: w.Lane, Lag: max(w.Age, 0)}
	switch {
	case l != nil && r.hooks.OldestLag != nil:
		r.hooks.OldestLag(info)
	case l == nil && r.hooks.Unclaimed != nil:
		r.hooks.Unclaimed(info)
	}
	if warn {
		r.log.Warn("outbox: events wait for which this relay has no listener or route; "+r.whoElse(), "event_type", w.Lane, "waiting", w.Age.Round(time.Millisecond))
	}
}

// lookPaused pauses and resumes lanes. What is queued of a paused lane is
// given back.
func (r *Relay) lookPaused(ctx context.Context) error {
	store, ok := r.store.(outbox.ControlStore)
	if !ok {
		return nil
	}
	names, err := store.Paused(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.paused)
	for _, n := range names {
		r.paused[n] = true
	}
	for _, l := range r.lanes {
		was := l.paused
		l.paused = r.paused[l.name] || r.paused["*"]
		switch {
		case l.paused && !was:
			r.giveBackQueued(func(it *item) bool { return it.lane == l })
		case was && !l.paused:
			r.wakeLane(l)
		}
	}
	return nil
}
