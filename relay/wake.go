package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
)

// wakeLane makes the poller look at a lane at once.
func (r *Relay) wakeLane(l *lane) {
	l.poll.next = time.Time{}
	r.pollWake.signal()
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
