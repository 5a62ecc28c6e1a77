package core_test

import (
	"errors"
	"testing"
	"time"

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
	r.claimed(items...)
}

// No later step needs to happen first.
func TestTheEventBehindACondemnedOneRunsAtOnce(t *testing.T) {
	r := newRig(t, false)
	crashes := row("crashes", 1)
	crashes.Recovered, crashes.Attempts = 6, 3
	r.keyed(crashes, row("next", 2))
	r.runs("next")
}

// Its transaction was committed late, while the attempt of the suspect was written.
func TestAnEarlierEventGoesBeforeASuspectThatCouldNotStart(t *testing.T) {
	for name, fail := range map[string]func(r *rig, it *core.Item){
		"not proved": func(r *rig, it *core.Item) {
			r.step(func(c *core.Core) { c.Lone.Proved(it, r.now, false, errors.New("down")) })
		},
		"put off": func(r *rig, it *core.Item) {
			r.step(func(c *core.Core) { c.Lone.PutOff(it, errors.New("away")) })
		},
		"lost": func(r *rig, it *core.Item) {
			r.step(func(c *core.Core) { c.Lone.Proved(it, r.now, true, nil) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, false)
			suspect := row("suspect", 2)
			suspect.Recovered = 3
			r.keyed(suspect)
			lone := r.fx.Lone
			r.runs()
			r.keyed(row("earlier", 1))
			r.runs()
			fail(r, lone)
			if name == "put off" { // both are given back
				r.runs()
				return
			}
			run := r.runs("earlier")[0]
			r.finish(run, delivered)
			if name == "lost" {
				r.runs()
				return
			}
			if r.fx.Lone != lone {
				t.Errorf("%v runs alone after it, expected the suspect", r.fx.Lone)
			}
		})
	}
}

func TestASuspectOfTheSameKeyRunsAfterItsLeaseIsRenewed(t *testing.T) {
	r := newRig(t, false)
	suspect := row("suspect", 1)
	suspect.Recovered = 3
	r.keyed(suspect, row("next", 2))
	lone := r.fx.Lone
	r.runs()
	held := lone.Held()
	r.step(func(c *core.Core) { c.Lone.Proved(lone, r.now, false, errors.New("down")) })
	r.runs()
	r.now = r.now.Add(time.Second)
	r.step(func(c *core.Core) { c.Leases.Renewed([]*core.Item{lone}, []driver.Held{held}, r.now, nil, nil) })
	if r.fx.Lone != lone {
		t.Errorf("%v runs alone, expected the suspect before what is behind it", r.fx.Lone)
	}
	r.runs()
}
