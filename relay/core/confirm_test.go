package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// An id is used again, in a savepoint that is rolled back, while the answer to
// the settle of its first life is on its way.
func TestAReusedIDIsConfirmedBeforeItRuns(t *testing.T) {
	c, dest, now := hotCore()
	var fx core.Effects
	write := func(text string, seq int64, confirm bool) {
		e := outbox.Event{Type: "A", ID: "x", JSON: []byte(text)}
		items := []core.Item{core.NewHot(&e, dest)}
		if !admit(c, now, now, e, items, &fx) {
			t.Fatal("not admitted")
		}
		items[0].Event = &e
		c.Step(now, &fx, func(c *core.Core) {
			c.Hot.Committed([]outbox.Written{{Event: e, Seq: seq, HeadStart: 5 * time.Second, Since: now, Confirm: confirm}})
		})
	}
	write(`"first"`, 1, false)
	run := fx.Runs[0]
	fx.Reset()
	c.Step(now, &fx, func(c *core.Core) { c.Runs.Finished(run, make([]core.Answer, 1)) })
	b, _ := nextSettle(c, now.Add(time.Second), false) // carried out, the row is deleted
	write(`"rolled back"`, 2, true)
	fx.Reset()
	c.Step(now, &fx, func(c *core.Core) { c.Outcomes.Settled(b, core.SettleAnswer{}) })
	if len(fx.Runs) != 0 {
		t.Errorf("%s is delivered, and was never confirmed", fx.Runs[0].Items[0].Event.JSON)
	}
	if items, _ := unconfirmed(c, now); len(items) != 1 {
		t.Errorf("%d to be confirmed", len(items))
	}
}
