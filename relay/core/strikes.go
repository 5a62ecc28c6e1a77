package core

import "time"

// strikes is what a destination holds against one event. An outage and an event
// that makes the other side drop the connection look alike; the difference is
// whether other events get through.
type strikes struct {
	n       int // lone runs that count
	answers int // of the destination, at the last strike
	idle    int // lone runs since then, with no answer about another event
}

const (
	// maxStrikes is how often an event must lose the connection alone, with
	// others getting through in between, before that is its own failure.
	maxStrikes = 3
	// maxStruck bounds the events that a destination remembers.
	maxStruck = 1000
)

// strike notes a lone run for which the destination was unavailable; again
// means that the last one was of the same event. An event with three strikes is
// guilty until the destination is unavailable for another event, too. While
// nothing is known, the event stays away for longer each time, so that others
// are tried meanwhile.
func (b *Breaker) strike(now time.Time, id string, again bool) (guilty bool, aside time.Duration) {
	s := b.strikes[id]
	if s == nil {
		if b.strikes == nil || len(b.strikes) >= maxStruck {
			b.strikes = map[string]*strikes{}
		}
		s = &strikes{}
		b.strikes[id] = s
	}
	if s.n == 0 || b.answers > s.answers || (s.n >= maxStrikes && again) {
		s.n, s.answers, s.idle = s.n+1, b.answers, 0
		return s.n >= maxStrikes, 0
	}
	s.idle++
	return false, b.delay(now) + min(firstProbe<<min(s.idle, 10), lastProbe)
}

// yields reports whether another event should go before this one: it had a
// strike, and no other event was answered since.
func (b *Breaker) yields(it *Item) bool {
	if !b.isHalfOpen() || it.yielded {
		return false
	}
	s := b.strikes[it.held.EventID]
	return s != nil && s.answers == b.answers
}
