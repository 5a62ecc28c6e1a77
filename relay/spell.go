package relay

import (
	"sync"
	"time"
)

// spells keeps the log readable while something fails again and again: one line
// when it begins, one a minute while it lasts, and one when it is over. The
// zero value is ready to use and safe for concurrent use.
type spells struct {
	mu sync.Mutex
	of map[string]*spell
}

// spell is a period in which one thing keeps failing.
type spell struct {
	since  time.Time
	told   time.Time
	n      int  // failures
	untold int  // failures since the last line
	line   bool // a line was logged

	until time.Time // when the spell ends unless it fails again; zero: unknown
}

// remindEvery is the pause between two lines about the same thing.
const remindEvery = time.Minute

// patience is how much later than planned an attempt may come.
const patience = 10 * time.Minute

// wrong notes a failure, and reports whether to log it, and how many there were
// since the last line, including this one.
func (s *spells) wrong(what string) (times int, tell bool) { return s.note(what, time.Time{}) }

// wrongFor notes a failure that will be retried after that time. If no retry
// comes, because nothing is left to try, the spell lapses.
func (s *spells) wrongFor(what string, next time.Duration) (times int, tell bool) {
	return s.note(what, time.Now().Add(next+patience))
}

func (s *spells) note(what string, until time.Time) (times int, tell bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string]*spell{}
	}
	now := time.Now()
	p := s.of[what]
	if p == nil {
		p = &spell{}
		s.of[what] = p
	}
	p.lapse(now)
	if p.n == 0 {
		p.since = now
	}
	if until.After(p.until) {
		p.until = until
	}
	p.n++
	p.untold++
	if !p.told.IsZero() && now.Sub(p.told) < remindEvery {
		return p.untold, false
	}
	times = p.untold
	p.told, p.untold, p.line = now, 0, true
	return times, true
}

// over notes that it is over, and reports whether to log that, how long it
// lasted and how many failures there were. A spell that begins within a minute
// of the last line gets no lines for its beginning and its end: something that
// comes and goes would fill the log.
func (s *spells) over(what string) (lasted time.Duration, times int, tell bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.of[what]
	if p == nil {
		return 0, 0, false
	}
	if p.lapse(time.Now()); p.n == 0 {
		return 0, 0, false
	}
	lasted, times, tell = time.Since(p.since).Round(time.Millisecond), p.n, p.line
	*p = spell{told: p.told, untold: p.untold}
	return lasted, times, tell
}

// lapse forgets a spell whose end was not reported.
func (p *spell) lapse(now time.Time) {
	if !p.until.IsZero() && now.After(p.until) {
		*p = spell{told: p.told}
	}
}
