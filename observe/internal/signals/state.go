package signals

import (
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
)

// State is what is known now, for gauges. Make one with [New]; it is safe for
// concurrent use.
type State struct {
	config Config
	counts counts
	depths recent[observe.QueueDepthsInfo]
	lags   recent[time.Duration]

	mu     sync.Mutex
	open   map[string]bool // destinations that are down
	paused map[string]bool // destinations that a person has paused
}

// New makes a state.
func New(c Config) *State {
	c = c.withDefaults()
	return &State{config: c, counts: counts{store: c.Store, keep: c.Keep}, open: map[string]bool{}, paused: map[string]bool{}}
}

// CountIn counts in that store from now on.
func (s *State) CountIn(store driver.StatsStore) { s.counts.from(store) }

func (s *State) breaker(i observe.BreakerInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i.Open {
		s.open[i.Target] = true
	} else {
		delete(s.open, i.Target)
	}
}

func (s *State) pause(i observe.PausedInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i.Paused {
		s.paused[i.Target] = true
	} else {
		delete(s.paused, i.Target)
	}
}

// destinations counts those that are down, and those that are paused: one that
// is both is paused.
func (s *State) destinations() (down, paused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for target := range s.open {
		if !s.paused[target] {
			down++
		}
	}
	return down, len(s.paused)
}
