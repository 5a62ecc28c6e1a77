package core

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// wakeLane makes the poller check a lane at once.
func (p *poller) wakeLane(l *Lane) {
	p.check(l)
	p.wake(PollLoop)
}

// wakeAt makes the poller check a lane at that time.
func (p *poller) wakeAt(l *Lane, at time.Time) {
	if l.poll.dueAt(at) {
		p.idle = minTime(p.idle, l.poll.next)
		p.wake(PollLoop)
	}
}

// wakeFor makes the poller check the lane when the event is due. AvailableAt is
// by the database's clock; by that of this process it is only a hint, which must
// not become wrong by hours if somebody sets that clock.
func (p *poller) wakeFor(l *Lane, e *outbox.Event) {
	switch {
	case e.DeliverAfter > 0:
		p.wakeAt(l, p.now.Add(e.DeliverAfter))
	case !e.AvailableAt.IsZero():
		p.wakeAt(l, p.now.Add(e.AvailableAt.Sub(p.now)))
	default:
		p.wakeLane(l)
	}
}
