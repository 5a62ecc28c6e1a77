package relay

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
)

// breaker keeps events away from a destination that is away. It is guarded by
// the relay's mutex; a nil breaker is always closed.
type breaker struct {
	name    string
	checker outbox.Checker
	state   breakerState
	wait    time.Duration
	next    time.Time // when to probe
	trial   int       // events to run alone, one after the other, before it closes
	busy    bool      // one of them runs
	proved  bool      // one of them got an answer
	answers int       // that the destination gave so far
	last    string    // the event that it was last unavailable for
	strikes map[string]*strikes
	err     error
}

type breakerState uint8

const (
	closed breakerState = iota
	open
	trying
)

type admission uint8

const (
	admit admission = iota
	hold
	refuse
)

const (
	firstProbe = 500 * time.Millisecond
	lastProbe  = 15 * time.Second
	maxTrial   = 100

	checkTimeout = 5 * time.Second
)

// breakerOf is the breaker of a destination.
func (r *Relay) breakerOf(t *outbox.Target) *breaker {
	if t == nil {
		return nil
	}
	b := r.breakers[t.Name()]
	if b == nil {
		b = &breaker{name: t.Name(), checker: t.Checker()}
		r.breakers[t.Name()] = b
	}
	return b
}

// admit says whether an event may run now.
func (b *breaker) admit() admission {
	switch {
	case b == nil || b.state == closed:
		return admit
	case b.state == open:
		return refuse
	case b.busy:
		return hold
	}
	b.busy = true
	return admit
}

// ration is how many events to claim for a destination on trial: one until it
// has answered, so that rows are not claimed and given back for nothing; or two,
// so that another can go before one with a strike.
func (b *breaker) ration() int {
	switch {
	case b.proved:
		return b.trial
	case len(b.strikes) > 0:
		return 2
	}
	return 1
}

func (b *breaker) trying() bool { return b != nil && b.state == trying }
func (b *breaker) opened() bool { return b != nil && b.state == open }

// delay is how long a refused event stays away.
func (b *breaker) delay(now time.Time) time.Duration { return max(b.next.Sub(now), 0) }

// answered notes that the destination gave an answer, good or bad, about an
// event, and is therefore there.
func (b *breaker) answered(r *Relay, it *item) {
	if b == nil {
		return
	}
	b.answers++
	delete(b.strikes, it.event.ID)
	if b.state == closed {
		return
	}
	b.busy, b.proved = false, true
	if b.trial--; b.trial > 0 && b.state == trying {
		r.dispatchAll()
		r.pollWake.signal()
		return
	}
	b.state, b.wait, b.trial = closed, 0, 0
	r.log.Info("outbox: destination is back", "target", b.name)
	r.breakerChanged(b)
}

// unasked notes that an event ended before it was handed to the destination,
// which says nothing about it.
func (b *breaker) unasked(r *Relay) {
	if b.trying() {
		b.busy = false
		r.dispatchAll()
		r.pollWake.signal()
	}
}

// unavailable notes that the destination was unavailable for the event, and
// reports whether that is the event's own failure, or else how long the event
// stays away.
func (b *breaker) unavailable(r *Relay, it *item, err error) (guilty bool, aside time.Duration) {
	if b == nil {
		return false, 0
	}
	alone, again := b.state == trying, b.last == it.event.ID
	b.busy, b.last = false, it.event.ID
	if b.state != closed {
		b.trial = min(max(b.trial, 1), maxTrial)
	}
	if b.state != open {
		wait := b.wait
		b.open(r, err)
		if alone && again { // it may be the event: others must not wait longer for that
			b.wait = max(wait, firstProbe)
			b.next = time.Now().Add(b.wait)
		}
	} else {
		b.trial = min(b.trial+1, maxTrial) // others of the batch that failed
	}
	if !alone {
		return false, 0
	}
	return b.strike(it, again)
}

func (b *breaker) open(r *Relay, err error) {
	b.state, b.err, b.trial, b.proved = open, err, max(b.trial, 1), false
	b.wait = min(max(2*b.wait, firstProbe), lastProbe)
	b.next = time.Now().Add(b.wait)
	r.log.Warn("outbox: destination is unavailable, its events wait", "target", b.name, "probe_in", b.wait, "error", err)
	r.giveBackQueued(func(it *item) bool { return it.breaker == b })
	r.breakerChanged(b)
	r.probeWake.signal()
}

func (r *Relay) breakerChanged(b *breaker) {
	if r.hooks.Breaker != nil {
		r.hooks.Breaker(outbox.BreakerInfo{Target: b.name, Open: b.state == open, Err: b.err})
	}
	if b.state != open {
		r.wakeLanes(nil)
	}
}

// probeLoop tests destinations that are away: by their own check, or, where
// they have none, by letting one event try.
func (r *Relay) probeLoop(ctx context.Context) {
	for {
		due, wait := r.dueProbes(time.Now())
		for _, b := range due {
			r.probe(ctx, b)
		}
		if len(due) == 0 && !pause(ctx, wait, r.probeWake) {
			return
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// probeDue probes what is due, side by side, and returns.
func (r *Relay) probeDue(ctx context.Context) {
	due, _ := r.dueProbes(time.Now())
	var all sync.WaitGroup
	for _, b := range due {
		all.Go(func() { r.probe(ctx, b) })
	}
	all.Wait()
}

func (r *Relay) dueProbes(now time.Time) (due []*breaker, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wait = time.Hour
	for _, b := range r.breakers {
		if b.state != open {
			continue
		}
		if left := b.next.Sub(now); left > 0 {
			wait = min(wait, left)
		} else {
			due = append(due, b)
		}
	}
	return due, wait
}

func (r *Relay) probe(ctx context.Context, b *breaker) {
	var err error
	if b.checker != nil {
		checkCtx, cancel := context.WithTimeout(ctx, checkTimeout)
		err = b.checker.Check(checkCtx)
		cancel()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		b.wait = min(2*b.wait, lastProbe)
		b.next = time.Now().Add(b.wait)
		return
	}
	b.state, b.busy = trying, false
	r.breakerChanged(b)
}
