package relay

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
)

// wakeLane makes the poller look at a lane at once.
func (r *Relay) wakeLane(l *lane) {
	l.poll.next = time.Time{}
	r.pollWake.signal()
}

// wakeFor makes the poller look when the event is due. A time that the caller
// gave is the database's; by this process's clock it is a hint like any other.
func (r *Relay) wakeFor(l *lane, e *outbox.Event) {
	switch {
	case e.DeliverAfter > 0:
		r.wakeAt(l, time.Now().Add(e.DeliverAfter))
	case !e.AvailableAt.IsZero():
		r.wakeAt(l, e.AvailableAt)
	default:
		r.wakeLane(l)
	}
}

// The bounds of what is remembered of a lane's future: of the times that do not
// fit, the latest are left to the interval.
const (
	maxDue   = 256
	dueGrain = 20 * time.Millisecond
)

// wakeAt makes the poller look at a lane at that time.
func (r *Relay) wakeAt(l *lane, at time.Time) {
	at = at.Truncate(dueGrain).Add(dueGrain) // those close together are one
	p := &l.poll
	i, found := slices.BinarySearchFunc(p.due, at, time.Time.Compare)
	if found || i == maxDue {
		return
	}
	if len(p.due) == maxDue {
		p.due = p.due[:maxDue-1]
	}
	p.due = slices.Insert(p.due, i, at)
	if at.Before(p.next) {
		p.next = at
		r.pollWake.signal()
	}
}

// wakeLanes wakes lanes by name, or all of them.
func (r *Relay) wakeLanes(names []string) {
	if len(names) == 0 {
		for _, l := range r.lanes {
			l.poll.next = time.Time{}
		}
	}
	for _, name := range names {
		if l := r.lane(name); l != nil {
			l.poll.next = time.Time{}
		}
	}
	r.pollWake.signal()
}

// Wake makes the poller look at once at the lanes of those types, or at all. A
// wake-up is a hint; many are one.
func (r *Relay) Wake(types ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wakeLanes(types)
}

// wakerLoop keeps listening to a source of wake-ups.
func (r *Relay) wakerLoop(ctx context.Context, w outbox.Waker) {
	var wait backoff
	for ctx.Err() == nil {
		err := w.Listen(ctx, func(lanes []string) {
			wait.reset()
			r.Wake(lanes...)
		})
		if err != nil {
			r.loopError(ctx, "listen", err)
		}
		r.Wake() // something may have been missed meanwhile
		if !pause(ctx, wait.next(), nil) {
			return
		}
	}
}
