package relay

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// groups puts dead letters into their groups, those that other programs made as
// well.
type groups struct {
	store   driver.GroupStore // nil if the store has none
	reports *reporter
}

func (g *groups) group(ctx context.Context) {
	for g.store != nil && ctx.Err() == nil {
		n, err := g.store.GroupDead(ctx, groupBatch)
		if g.reports.report(ctx, "group dead letters", err); err != nil || n < groupBatch {
			return
		}
	}
}

// groupBatch is how many letters are locked while their errors are compared.
const groupBatch = 200
