package core

import "time"

// probes is when an unavailable destination is probed.
type probes struct {
	checks bool // it can be probed without an event
	wait   time.Duration
	next   time.Time
	late   int // checks that did not return in time and still run
}

const (
	firstProbe = 500 * time.Millisecond
	lastProbe  = 15 * time.Second
)

// in sets the wait for the next probe.
func (p *probes) in(wait time.Duration, now time.Time) { p.wait, p.next = wait, now.Add(wait) }

// later puts off the next probe, for longer each time.
func (p *probes) later(now time.Time) { p.in(min(max(2*p.wait, firstProbe), lastProbe), now) }

// at sets the time of the next probe, and keeps the wait for those after it.
func (p *probes) at(next time.Time) { p.next = next }

// passed forgets how long the destination was away.
func (p *probes) passed() { p.wait = 0 }

// isLate counts a check that did not return in time, and ended one of those.
func (p *probes) isLate() { p.late++ }
func (p *probes) ended()  { p.late-- }

// delay is how long it is until the next probe. While that is under way, events stay
// away the longer, the longer the outage takes: other destinations of their lane may
// be available, and they would be claimed and refused over and over.
func (p *probes) delay(now time.Time) time.Duration {
	if left := p.next.Sub(now); left > 0 {
		return left
	}
	return min(max(Elapsed(p.next, now), p.wait/10), lastProbe)
}

// tolerance is how many events in a row may find a half-open destination
// unavailable before it counts as down again. Its check has passed, so the events
// may be to blame, and others may wait behind them: the longer the wait for a
// check, the more may try, so that they find out at the same pace.
func (p *probes) tolerance() int {
	if !p.checks {
		return 1
	}
	return max(int(p.wait/firstProbe), 1)
}
