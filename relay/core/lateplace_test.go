package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// A transaction stays open until the place of its first event is over, and that
// of the second is not.
func TestAnEventWhoseEarlierOneLostItsPlaceIsNotHot(t *testing.T) {
	c, dest, now := hotCore()
	var fx core.Effects
	var ws []outbox.Written
	for i, id := range []string{"first", "second"} {
		w := outbox.Written{Event: outbox.Event{Type: "A", ID: id, AggregateType: "T", AggregateID: "k", JSON: []byte("1")}, Seq: int64(i + 1), HeadStart: 5 * time.Second, Since: now}
		items := []core.Item{core.NewHot(&w.Event, dest)}
		if !admit(c, now, now, w.Event, items, &fx) {
			t.Fatal("not admitted")
		}
		items[0].Event = &w.Event
		ws = append(ws, w)
		now = now.Add(3 * time.Second)
	}
	c.Step(now, &fx, func(c *core.Core) { c.Hot.Expire() })
	c.Step(now, &fx, func(c *core.Core) { c.Hot.Committed(ws) })
	if len(fx.Runs) > 0 {
		t.Errorf("%s runs", fx.Runs[0].Items[0].Held().EventID)
	}
}
