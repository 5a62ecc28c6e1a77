package core_test

import (
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// keyed gives the core rows of one aggregate, in one claim.
func (r *rig) keyed(rows ...driver.Claimed) {
	r.t.Helper()
	var items []core.Item
	for i := range rows {
		e := &rows[i].Event
		e.ID, e.Type, e.AggregateType, e.AggregateID = rows[i].EventID, "A", "T", "k"
		items = append(items, core.NewItem(&rows[i], r.dest, r.now))
	}
	r.Claimed(r.now, r.Poll(r.now, &r.fx), items, r.now, &r.fx)
}

// No later step needs to happen first.
func TestTheEventBehindACondemnedOneRunsAtOnce(t *testing.T) {
	r := newRig(t, false)
	crashes := row("crashes", 1)
	crashes.Recovered, crashes.Attempts = 6, 3
	r.keyed(crashes, row("next", 2))
	r.runs("next")
}
