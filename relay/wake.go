package relay

import (
	"github.com/sendoff-go/outbox/relay/core"
)

// Wake makes the poller check the lanes of those types at once, or all lanes if
// none are given. A wake-up is a hint; several may be merged into one.
func (r *Relay) Wake(types ...string) {
	for _, t := range types {
		r.routes.lane(t)
	}
	r.steps.step(func(c *core.Core) { c.Claims.Wake(types) })
}
