package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// The claim was under way when the lane was paused.
func TestAnEventOfAPausedLaneIsGivenBack(t *testing.T) {
	c, dest, now := hotCore()
	var fx core.Effects
	e := outbox.Event{Type: "A", ID: "x", JSON: []byte(`1`)}
	items := []core.Item{core.NewHot(&e, dest)}
	c.Step(now, &fx, func(c *core.Core) { c.Hot.Admit(now, []outbox.Event{e}, items) })
	items[0].Event = &e
	c.Step(now, &fx, func(c *core.Core) {
		c.Hot.Committed([]outbox.Written{{Event: e, Seq: 1, HeadStart: 5 * time.Second, Since: now, Confirm: true}})
	})
	unconfirmed(c, now) // sent, and the database does not answer for longer than the head start
	now = now.Add(6 * time.Second)
	p := poll(c, now, &fx)
	c.Step(now, &fx, func(c *core.Core) { c.Pause(core.Paused{Lanes: []string{"A"}}) })
	row := driver.Claimed{Held: driver.Held{EventID: "x", Seq: 1, ClaimNo: 1}, Event: e}
	c.Step(now, &fx, func(c *core.Core) { c.Claims.Claimed(p, []core.Item{core.NewItem(&row, dest, now)}, now) })
	if w, u := c.Load().Waiting, c.Load().Unsettled; w != 0 {
		t.Errorf("%d wait in a paused lane, %d are given back", w, u)
	}
	fx.Reset()
	c.Step(now.Add(time.Second), &fx, func(c *core.Core) { c.Pause(core.Paused{}) })
	if w := c.Load().Waiting; w != 0 && len(fx.Runs) == 0 {
		t.Errorf("%d wait, the lane is resumed, and nothing runs", w)
	}
}
