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

func (i *instance) describe() driver.Instance {
	var lanes, dests []string
	of, more := map[string][]string{}, map[string]bool{}
	var tried map[string]time.Time
	for _, t := range i.reg.Patterns() {
		more[t.Name()] = true
	}
	i.steps.step(func(c *core.Core) {
		c.Lanes.Each(func(l *core.Lane) {
			lanes = append(lanes, l.Name)
			for _, d := range l.Dests() {
				if len(of[d.Name]) == driver.MaxDestinationLanes {
					more[d.Name] = true
					continue
				}
				of[d.Name] = append(of[d.Name], l.Name)
			}
		})
		dests, tried = c.Dests.Names(), c.Dests.Tried()
	})
	i.outages.tried(tried)
	slices.Sort(lanes)
	return driver.Instance{
		Owner: i.owner, Version: i.version, Lanes: lanes, Destinations: i.outages.announce(dests, of, more), Figures: i.figures(),
	}
}
