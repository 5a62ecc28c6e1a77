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
	c.Admit(now, now, []outbox.Event{e}, items, &fx)
	items[0].Event = &e
	c.Committed(now, []outbox.Written{{Event: e, Seq: 1, HeadStart: 5 * time.Second, Since: now, Confirm: true}}, &fx)
	c.Unconfirmed(now) // sent, and the database does not answer for longer than the head start
	now = now.Add(6 * time.Second)
	p := c.Poll(now, &fx)
	c.Pause(now, core.Paused{Lanes: []string{"A"}}, &fx)
	row := driver.Claimed{Held: driver.Held{EventID: "x", Seq: 1, ClaimNo: 1}, Event: e}
	c.Claimed(now, p, []core.Item{core.NewItem(&row, dest, now)}, now, &fx)
	if w, u := c.Load().Waiting, c.Load().Unsettled; w != 0 {
		t.Errorf("%d wait in a paused lane, %d are given back", w, u)
	}
	fx.Reset()
	c.Pause(now.Add(time.Second), core.Paused{}, &fx)
	if w := c.Load().Waiting; w != 0 && len(fx.Runs) == 0 {
		t.Errorf("%d wait, the lane is resumed, and nothing runs", w)
	}
}
