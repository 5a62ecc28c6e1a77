package core_test

import (
	"strconv"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// Suspects run one at a time, and each may run for as long as its timeout.
func TestSuspectsThatWaitLeaveRoomForTheOthersOfTheirLane(t *testing.T) {
	r := newRig(t, false)
	p := r.poll()
	var items []core.Item
	for i := range 10 { // all that a lane holds which has finished nothing
		c := driver.Claimed{Held: driver.Held{EventID: strconv.Itoa(i), Seq: int64(i + 1), ClaimNo: 4}, Recovered: 3}
		c.Event.ID, c.Event.Type = c.EventID, "A"
		items = append(items, core.NewItem(&c, r.dest, r.now))
	}
	r.step(func(c *core.Core) { c.Claims.Claimed(p, items, r.now) })
	if p = r.poll(); len(p.Wants) == 0 {
		t.Error("while a suspect runs and others wait for it, nothing else of the lane is claimed")
	}
}
