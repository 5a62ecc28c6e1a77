package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay/core"
)

// Two transactions write the same id at once. Only one of them can be stored,
// whichever that is.
func TestTheHotPathDeliversWhatItsOwnTransactionWrote(t *testing.T) {
	for winner, want := range []string{`"first"`, ""} { // the second is left to the poller
		c, dest, now := hotCore()
		var fx core.Effects
		admit := func(since time.Time, text string) outbox.Written {
			w := outbox.Written{Event: outbox.Event{Type: "A", ID: "x", JSON: []byte(text)}, Since: since}
			items := []core.Item{core.NewHot(&w.Event, dest)}
			if admit(c, since.Add(time.Millisecond), since, w.Event, items, &fx) {
				w.HeadStart, items[0].Event = 5*time.Second, &w.Event
			}
			return w
		}
		ws := []outbox.Written{admit(now, `"first"`), admit(now.Add(time.Millisecond), `"second"`)}
		ws[winner].Seq = 1
		now = now.Add(3 * time.Millisecond)
		c.Step(now, &fx, func(c *core.Core) { c.Hot.Committed(ws[winner : winner+1]) })
		c.Step(now, &fx, func(c *core.Core) { c.Hot.Dropped(ws[1-winner:][:1]) })
		got := ""
		for _, run := range fx.Runs {
			got += string(run.Items[0].Event.JSON)
		}
		if got != want {
			t.Errorf("transaction %d was stored, and %s is delivered, want %s", winner, got, want)
		}
	}
}
