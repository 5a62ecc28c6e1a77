package retry

import (
	"math"
	"math/rand/v2"
	"time"
)

// Policy says how long to wait after a counted failure. Attempts is the number
// of failed attempts so far, including this one, so at least 1. It must be safe
// for concurrent use. A worker of the relay waits for it, so it must be quick.
// If it panics, the relay logs that and uses the default of its LaneConfig.
type Policy interface {
	Delay(attempts int) time.Duration
}

// Exponential waits min(Max, Base * Multiplier^(attempts-1)), spread by Jitter.
// The zero value waits 200 ms, doubled each time, at most 60 s, times a random
// factor between 0.5 and 1.5.
type Exponential struct {
	Base       time.Duration // default 200 ms
	Max        time.Duration // default 60 s
	Uncapped   bool          // no Max
	Multiplier float64       // default 2
	// Jitter j spreads the wait evenly between (1-j) and (1+j) times its
	// length. Default 0.5.
	Jitter   float64
	NoJitter bool // the wait is the same each time
}

// Delay implements [Policy].
func (p Exponential) Delay(attempts int) time.Duration {
	base, limit, factor, jitter := p.Base, p.Max, p.Multiplier, p.Jitter
	if base == 0 {
		base = 200 * time.Millisecond
	}
	if limit == 0 {
		limit = 60 * time.Second
	}
	if p.Uncapped {
		limit = longestDelay
	}
	if factor == 0 {
		factor = 2
	}
	if jitter == 0 {
		jitter = 0.5
	}
	if p.NoJitter {
		jitter = 0
	}
	d := grow(base, factor, attempts, limit)
	if jitter > 0 {
		d *= 1 - jitter + 2*jitter*rand.Float64()
	}
	return clampDelay(d)
}

// Fixed waits the same time after every failure.
type Fixed time.Duration

// Delay implements [Policy].
func (p Fixed) Delay(int) time.Duration { return max(time.Duration(p), 0) }

// AddedJitter waits min(Max, Base * 2^(attempts-1)) plus a random time between
// zero and Base, which is the formula of the outbox module.
type AddedJitter struct {
	Base time.Duration // default 30 s
	Max  time.Duration // default 30 min
}

// Delay implements [Policy].
func (p AddedJitter) Delay(attempts int) time.Duration {
	base, limit := p.Base, p.Max
	if base == 0 {
		base = 30 * time.Second
	}
	if limit == 0 {
		limit = 30 * time.Minute
	}
	return clampDelay(grow(base, 2, attempts, limit) + rand.Float64()*float64(base))
}

// longestDelay bounds waits that have no Max: longer than any useful wait, and
// far from overflowing a database's interval.
const longestDelay = 365 * 24 * time.Hour

// grow computes in floats, where attempt 60 does not overflow.
func grow(base time.Duration, factor float64, attempts int, limit time.Duration) float64 {
	d := float64(base) * math.Pow(factor, float64(max(attempts, 1)-1))
	return min(d, float64(limit))
}

func clampDelay(d float64) time.Duration {
	return time.Duration(min(max(d, 0), float64(longestDelay)))
}
