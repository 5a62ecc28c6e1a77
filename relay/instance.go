package relay

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// instance is this relay as operators see it.
type instance struct {
	owner   driver.Owner
	version string
	reg     *outbox.Registry
	outages *outages
	busy    *atomic.Int64 // nanoseconds that workers have run events
	steps   *stepper
}

// lanePage is how many lanes are looked at in one step: nothing else happens meanwhile.
const lanePage = 100

// eachLane calls f for each lane, with the lock held.
func (i *instance) eachLane(f func(*core.Lane)) {
	for after, more := 0, true; more; after += lanePage {
		i.steps.step(func(c *core.Core) {
			var page []*core.Lane
			page, more = c.Lanes.Page(after, lanePage)
			for _, l := range page {
				f(l)
			}
		})
	}
}

func (i *instance) describe() driver.Instance {
	var lanes, dests []string
	of, more := map[string][]string{}, map[string]bool{}
	var tried map[string]time.Time
	for _, t := range i.reg.Patterns() {
		more[t.Name()] = true
	}
	i.eachLane(func(l *core.Lane) {
		lanes = append(lanes, l.Name)
		for _, d := range l.Dests() {
			if len(of[d.Name]) == driver.MaxDestinationLanes {
				more[d.Name] = true
				continue
			}
			of[d.Name] = append(of[d.Name], l.Name)
		}
	})
	i.steps.step(func(c *core.Core) { dests, tried = c.Dests.Names(), c.Dests.Tried() })
	i.outages.tried(tried)
	slices.Sort(lanes)
	return driver.Instance{
		Owner: i.owner, Version: i.version, Lanes: lanes, Destinations: i.outages.announce(dests, of, more), Figures: i.figures(),
	}
}
