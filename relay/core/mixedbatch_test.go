package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// Each event of a batch has an answer of its own. Those of one run are one sign.
func TestABatchThatIsDeliveredInPartTakesItsDestinationDownOnce(t *testing.T) {
	r := newRig(t, true)
	r.dest = r.Dests.Add("b", true, true, nil)
	r.Lanes.Add("B", core.LaneConfig{
		Workers: 1, ColdQueue: 100, Batch: 10, DeliverBatch: 5, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
	}, []*core.Dest{r.dest})
	var items []core.Item
	for i, id := range []string{"1", "2", "3", "4", "5"} {
		one := row(id, int64(i+1))
		one.Event.ID, one.Event.Type = id, "B"
		items = append(items, core.NewItem(&one, r.dest, r.now))
	}
	r.claimed(items...)
	batch := r.runs("1")[0]

	down := core.Answer{Kind: core.Unavailable, Err: errors.New("down")}
	var turns []core.NoteKind
	r.step(func(c *core.Core) {
		c.Runs.Finished(batch, []core.Answer{{}, down, {}, down, {}})
	})
	for _, n := range r.fx.Turns {
		turns = append(turns, n.Kind)
	}
	if len(turns) != 1 || turns[0] != core.NoteAway {
		t.Errorf("the turns are %v, expected the destination to go down once", turns)
	}
	if b, _ := nextSettle(r.Core, r.now, false); b == nil || len(b.Items) != 5 {
		t.Errorf("settles %v, expected an outcome for each event", b)
	}
	r.now = r.now.Add(time.Second)
	if due, _ := r.dueProbes(); len(due) != 1 {
		t.Errorf("%d destinations are probed, expected the one that is down", len(due))
	}
}
