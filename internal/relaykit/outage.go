package relaykit

import (
	"sync"

	"github.com/sendoff-go/outbox/observe"
)

// Outage counts the events that relays have started and do not know to be
// settled.
type Outage struct {
	mu        sync.Mutex
	runs      map[string]int
	unsettled int
}

// Run notes a run.
func (o *Outage) Run(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.runs == nil {
		o.runs = map[string]int{}
	}
	o.runs[id]++
	o.unsettled++
}

// Settled is a hook of a relay.
func (o *Outage) Settled(i observe.StatementInfo) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i.Err == nil {
		o.unsettled -= i.Rows
	}
}

// InHand returns how many events at most were running or not yet settled.
func (o *Outage) InHand() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.unsettled, 0)
}

// Extra returns how many runs there were beyond one of each event.
func (o *Outage) Extra() (extra, events int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, n := range o.runs {
		extra += n - 1
	}
	return extra, len(o.runs)
}
