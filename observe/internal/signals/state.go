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

	mu   sync.Mutex
	open map[string]bool // destinations that are down
}

// New makes a state.
func New(c Config) *State {
	c = c.withDefaults()
	return &State{config: c, counts: counts{store: c.Store, keep: c.Keep}, open: map[string]bool{}}
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

func (s *State) down() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}
