package relay

import (
	"cmp"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// figures returns what this relay does and has done, for operators.
func (i *instance) figures() driver.Figures {
	out := driver.Figures{Busy: time.Duration(i.busy.Load())}
	i.steps.step(func(c *core.Core) {
		load := c.Load()
		out.Running, out.Held = load.Running, load.Waiting+load.Running+load.Unsettled
	})
	i.eachLane(func(l *core.Lane) {
		out.Workers += l.Config().Workers
		if f, ok := l.Figures(); ok {
			out.Types = append(out.Types, f)
		}
	})
	slices.SortFunc(out.Types, func(a, b driver.TypeFigures) int {
		return cmp.Or(cmp.Compare(b.Delivered+b.Failed, a.Delivered+a.Failed), cmp.Compare(a.Type, b.Type))
	})
	out.Types = out.Types[:min(len(out.Types), driver.MaxInstanceTypes)]
	return out
}
