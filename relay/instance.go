package relay

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// announceEvery keeps an instance visible even if it misses a few rounds.
const announceEvery = 5 * time.Second

// instanceLoop announces this relay, for operators.
func (r *Relay) instanceLoop(ctx context.Context) {
	store, ok := r.store.(driver.InstanceStore)
	if !ok {
		return
	}
	for {
		var lanes, dests []string
		of, more := map[string][]string{}, map[string]bool{}
		for _, t := range r.routes.reg.Patterns() {
			more[t.Name()] = true
		}
		r.step(func(c *core.Core, _ time.Time, _ *core.Effects) {
			c.Lanes(func(l *core.Lane) {
				lanes = append(lanes, l.Name)
				for _, d := range l.Dests() {
					if len(of[d.Name]) == driver.MaxDestinationLanes {
						more[d.Name] = true
						continue
					}
					of[d.Name] = append(of[d.Name], l.Name)
				}
			})
			dests = c.Dests()
		})
		slices.Sort(lanes)
		r.report(ctx, "announce", store.Announce(ctx, driver.Instance{
			Owner: r.owner, Version: r.cfg.Version, Lanes: lanes, Destinations: r.outages.announce(dests, of, more), Figures: r.figures(),
		}))
		if !pause(ctx, announceEvery, nil) {
			return
		}
	}
}

func (r *Relay) withdraw(ctx context.Context) {
	if store, ok := r.store.(driver.InstanceStore); ok {
		if err := store.Withdraw(ctx, r.owner); err != nil {
			r.log.Debug("outbox: could not withdraw the instance", "error", err)
		}
	}
}
