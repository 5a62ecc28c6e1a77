package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// Its type has a listener here for another aggregate type alone, whose server is
// away. Another relay may have a destination for it.
func TestAnEventWithoutADestinationDoesNotWaitForTheDestinationOfOthers(t *testing.T) {
	for name, after := range map[string]func(r *rig, trial *core.Run){
		"while another tries it": func(*rig, *core.Run) {},
		"when it is away again": func(r *rig, trial *core.Run) {
			r.finish(trial, core.Answer{Kind: core.Unavailable, Err: errors.New("down")})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, false)
			r.Lanes.Add("B", core.LaneConfig{
				Workers: 4, ColdQueue: 100, Batch: 10, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute,
			}, []*core.Dest{r.dest})
			seq := int64(0)
			claim := func(dest func(id string) *core.Dest, ids ...string) {
				var items []core.Item
				for _, id := range ids {
					seq++
					one := row(id, seq)
					one.Event.ID, one.Event.Type = id, "B"
					items = append(items, core.NewItem(&one, dest(id), r.now))
				}
				r.claimed(items...)
			}
			dest := func(id string) *core.Dest {
				if id == "none" {
					return nil
				}
				return r.dest
			}
			claim(dest, "1", "2", "3", "4")
			for _, run := range r.runs("1", "2", "3", "4") {
				r.finish(run, core.Answer{Kind: core.Unavailable, Err: errors.New("down")})
			}
			r.settle()
			r.now = r.now.Add(time.Second)
			r.dueProbes() // an event is the probe
			claim(dest, "1")
			r.finish(r.runs("1")[0], delivered)
			r.claim(row("trial", 10)) // of lane A, with the same destination
			claim(dest, "2", "none")
			trial := r.fx.Runs[0]
			if len(r.fx.Runs) == 1 {
				after(r, trial)
			}
			// Nothing else happens for an hour, but leases are renewed.
			for range 3600 {
				r.now = r.now.Add(time.Second)
				r.step(func(c *core.Core) {
					for _, items := range c.Leases.Due().Batches {
						var held []driver.Held
						for _, it := range items {
							held = append(held, it.Held())
						}
						c.Leases.Renewed(items, held, r.now, nil, nil)
					}
				})
			}
			if began := r.fx.Runs[1:]; len(began) != 1 || began[0].Items[0].Held().EventID != "none" {
				t.Errorf("%d more runs after an hour, %+v: the event is held and neither runs nor is it released", len(began), r.Load())
			}
		})
	}
}
