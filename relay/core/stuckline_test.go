package core_test

import (
	"runtime"
	"strconv"
	"testing"
	"time"
	"weak"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// A run that never ends must not keep in memory the events behind it, which were
// given back.
func TestAStuckRunDoesNotKeepTheEventsBehindIt(t *testing.T) {
	const n = 20
	r := newRig(t, false)
	var behind []weak.Pointer[core.Item]
	for i := range n {
		c := driver.Claimed{Held: driver.Held{EventID: strconv.Itoa(i), Seq: int64(i + 1), ClaimNo: 1}}
		c.Event.ID, c.Event.Type, c.Event.AggregateType, c.Event.AggregateID = c.EventID, "A", "T", "k"
		items := []core.Item{core.NewItem(&c, r.dest, r.now)}
		if i > 0 {
			behind = append(behind, weak.Make(&items[0]))
		}
		r.claimed(items...)
	}
	run := r.runs("0")[0]
	r.now = run.Deadline.Add(2 * time.Second)
	r.step(func(c *core.Core) { c.Runs.GiveUp(run, make([]core.Answer, 1)) })
	b, _ := nextSettle(r.Core, r.now.Add(time.Second), false)
	if b == nil || len(b.Items) != n {
		t.Fatalf("settled %+v, expected all %d", b, n)
	}
	r.step(func(c *core.Core) { c.Outcomes.Settled(b, core.SettleAnswer{}) })
	r.fx = core.Effects{}
	b = nil
	runtime.GC()
	kept := 0
	for _, p := range behind {
		if p.Value() != nil {
			kept++
		}
	}
	if kept > 0 {
		t.Errorf("%d of %d are still in memory", kept, n-1)
	}
	runtime.KeepAlive(run)
	runtime.KeepAlive(r)
}
