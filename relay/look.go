package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// lookLoop checks at intervals which lanes wait, and what is paused.
func (r *Relay) lookLoop(ctx context.Context) {
	for {
		r.report(ctx, doingLook, r.look(ctx))
		if !pause(ctx, r.cfg.LookInterval, nil) {
			return
		}
	}
}

// pausedInterval is the pause between two looks at what is paused: a person who
// pauses a type expects to see it at once.
const pausedInterval = 1250 * time.Millisecond

// pausedLoop checks what is paused more often than lookLoop does, which reports
// what goes wrong.
func (r *Relay) pausedLoop(ctx context.Context) {
	for pause(ctx, pausedInterval, nil) {
		_ = r.lookPaused(ctx)
	}
}

// look notes what is paused and which lanes wait.
func (r *Relay) look(ctx context.Context) error {
	if err := r.lookPaused(ctx); err != nil {
		return err
	}
	return r.eachWaiting(ctx, r.waiting)
}

// lookPage is the number of lanes read at once.
const lookPage = 1000

// eachWaiting calls f for every lane with pending rows.
func (r *Relay) eachWaiting(ctx context.Context, f func(driver.WaitingLane)) error {
	for last := ""; ; {
		lanes, err := r.store.Lanes(ctx, last, lookPage)
		if err != nil {
			return err
		}
		for _, l := range lanes {
			f(l)
			last = l.Lane
		}
		if len(lanes) < lookPage {
			return nil
		}
	}
}

// waiting notes a lane with pending rows. A type that matches a pattern becomes
// a lane when it is first seen.
func (r *Relay) waiting(w driver.WaitingLane) {
	lag := max(w.Age, 0)
	if r.routes.lane(w.Lane) != nil { // a new one is polled at once
		r.wakes.of(core.PollLoop).signal()
		call(r.hooks.OldestLag, observe.LagInfo{Lane: w.Lane, Lag: lag})
		return
	}
	call(r.hooks.Unclaimed, observe.LagInfo{Lane: w.Lane, Lag: lag})
	if w.Age <= 0 {
		return
	}
	if r.warned.first(w.Lane) {
		attrs := []any{"event_type", w.Lane, "waiting", w.Age.Round(time.Millisecond)}
		if meant := r.routes.similar(w.Lane); meant != "" {
			attrs = append(attrs, "similar", meant)
		}
		r.log.Warn("outbox: this relay has no listener or route for events that wait; "+r.whoElse(), attrs...)
	}
}

// whoElse says what may happen to events without a listener here.
func (r *Relay) whoElse() string {
	if r.cfg.Advice == "" {
		return "another relay may have one"
	}
	return "another relay may have one, or " + r.cfg.Advice
}

// firstLook bounds the look before the start.
const firstLook = 2 * time.Second

// lookBefore reads what is paused before anything runs: a relay that starts
// during a pause must not deliver anything before its first look. Without an
// answer the relay starts anyway, since the database may be down for long.
func (r *Relay) lookBefore(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	_ = r.lookPaused(ctx)
}

// lookPaused pauses and resumes lanes and destinations. It releases their queued
// events. Two loops call it, and an answer that comes after that of a later look
// counts no more.
func (r *Relay) lookPaused(ctx context.Context) error {
	store, ok := r.store.(driver.ControlStore)
	if !ok {
		return nil
	}
	n := r.looks.Add(1)
	all, err := store.Paused(ctx)
	if err != nil {
		return err
	}
	p := core.Paused{Lanes: driver.Pauses(all, driver.LanePause), Dests: driver.Pauses(all, driver.DestinationPause)}
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) {
		if n > r.looked {
			r.looked = n
			c.Pause(now, p, fx)
		}
	})
	return nil
}
