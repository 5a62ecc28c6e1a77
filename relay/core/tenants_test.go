package core_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// fairRig is a core with one fair lane, A, whose claims are answered by hand.
type fairRig struct {
	*rig
	seq int64
}

func newFairRig(t *testing.T) *fairRig {
	r := &rig{t: t, now: time.Now(), Core: core.New(core.Config{
		Lease: 15 * time.Second, HeadStart: 5 * time.Second, Margin: time.Second,
		MaxBytes: 1 << 20, MaxHeld: 1000, MaxUnsettled: 1000, SettleBatch: 100,
	})}
	r.dest = r.Dests.Add("a", false, false, nil)
	r.Lanes.Add("A", core.LaneConfig{
		Workers: 1, ColdQueue: 400, Batch: 40, DeliverBatch: 1, MaxAttempts: 3, Interval: time.Second, Timeout: time.Minute, Fair: true,
	}, []*core.Dest{r.dest})
	r.Start()
	return &fairRig{rig: r}
}

// poll asks what to claim, and answers with these tenants if the core lists them.
func (r *fairRig) poll(tenants ...string) core.Polling {
	r.t.Helper()
	p := r.rig.poll()
	if len(p.Wants) != 1 {
		r.t.Fatalf("%d wants, expected that of the lane", len(p.Wants))
	}
	if w := p.Wants[0]; w.Tenants > 0 {
		var list []driver.WaitingTenant
		for _, t := range tenants {
			if t > w.AfterTenant && len(list) < w.Tenants {
				list = append(list, driver.WaitingTenant{Tenant: t, Due: true})
			}
		}
		r.step(func(c *core.Core) { p = c.Claims.Divide(p, [][]driver.WaitingTenant{list}) })
	}
	return p
}

// answer gives each want what its tenant has, and finishes all of it, so that the
// lane has room again.
func (r *fairRig) answer(p core.Polling, has map[string]int) {
	r.t.Helper()
	var items []core.Item
	for _, w := range p.Wants {
		n := w.Rows
		if w.ByTenant {
			n = min(n, has[w.Tenant])
		}
		for range n {
			r.seq++
			id := fmt.Sprint(r.seq)
			row := driver.Claimed{
				Held:     driver.Held{EventID: id, Seq: r.seq, ClaimNo: 1},
				Event:    outbox.Event{ID: id, Type: "A", TenantID: w.Tenant},
				Position: driver.Position{AvailableAt: r.now, Seq: r.seq},
			}
			items = append(items, core.NewItem(&row, r.dest, r.now))
		}
	}
	r.step(func(c *core.Core) { c.Claims.Claimed(p, items, r.now) })
	for len(r.fx.Runs) > 0 {
		run := r.fx.Runs[0]
		r.fx.Runs = r.fx.Runs[1:]
		r.finish(run, core.Answer{})
		if b, _ := nextSettle(r.Core, r.now.Add(time.Second), false); b != nil {
			r.step(func(c *core.Core) { c.Outcomes.Settled(b, core.SettleAnswer{}) })
		}
	}
	r.now = r.now.Add(100 * time.Millisecond)
}

// shares are the rows that a claim asks of each tenant.
func shares(p core.Polling) map[string]int {
	all := map[string]int{}
	for _, w := range p.Wants {
		all[w.Tenant] += w.Rows
	}
	return all
}

func TestALaneThatIsNotBehindIsNotDivided(t *testing.T) {
	r := newFairRig(t)
	for range 3 {
		p := r.poll("big")
		if p.Wants[0].ByTenant {
			t.Fatalf("wants %v", shares(p))
		}
		r.step(func(c *core.Core) { c.Claims.Claimed(p, nil, r.now) })
		r.now = r.now.Add(2 * time.Second)
	}
}

func TestAFullClaimIsFollowedByOneThatIsDivided(t *testing.T) {
	r := newFairRig(t)
	r.answer(r.poll(), nil) // full
	p := r.poll("big", "small")
	got := shares(p)
	if d := got["big"] - got["small"]; len(got) != 3 || d < -1 || d > 1 {
		t.Errorf("nothing is known about them, and they get %v", got)
	}
	has := map[string]int{"big": 1000, "small": 2}
	r.answer(p, has)
	p = r.poll("big", "small")
	got = shares(p)
	if got["small"] != 5 || got["big"] < 30 {
		t.Errorf("one had two and the other more, and they get %v", got)
	}
	r.answer(p, map[string]int{"big": 1}) // which is the end of it
	if p := r.poll("big"); p.Wants[0].ByTenant {
		t.Errorf("nobody has more, and the claim is divided: %v", shares(p))
	}
}

func TestEveryTenantHasItsTurnWhateverTheRoom(t *testing.T) {
	r := newFairRig(t)
	var tenants []string
	has := map[string]int{}
	for i := range 200 {
		name := fmt.Sprintf("t%03d", i)
		tenants, has[name] = append(tenants, name), 1000
	}
	r.answer(r.poll(), nil)
	turns := map[string]int{}
	for range 40 {
		p := r.poll(tenants...)
		rows := 0
		for _, w := range p.Wants {
			turns[w.Tenant]++
			rows += w.Rows
			if !w.ByTenant || w.Rows < 1 || w.Rows > 20 {
				t.Fatalf("tenant %q is asked for %d rows, of 200 that want as many", w.Tenant, w.Rows)
			}
		}
		if rows > 400 || len(p.Wants) > 64 {
			t.Fatalf("%d rows of %d tenants", rows, len(p.Wants))
		}
		r.answer(p, has)
	}
	least, most := 1000, 0
	for _, name := range tenants {
		least, most = min(least, turns[name]), max(most, turns[name])
	}
	if least < 5 || most > least+2 || turns[""] < 1 {
		t.Errorf("between %d and %d turns, and %d of rows without a tenant", least, most, turns[""])
	}
}

func TestATenantWhoseRowsAreHeldIsLeftOutForAMoment(t *testing.T) {
	r := newFairRig(t)
	r.answer(r.poll(), nil)
	has := map[string]int{"big": 1000}
	r.answer(r.poll("big", "held"), has) // held is asked, and has nothing
	r.now = r.now.Add(-70 * time.Millisecond)
	if got := shares(r.poll("big", "held")); got["held"] != 0 || got["big"] == 0 {
		t.Errorf("30 ms later they get %v", got)
	}
	r.now = r.now.Add(time.Second)
	p := r.poll("big", "held")
	if got := shares(p); got["held"] == 0 {
		t.Errorf("a second later they get %v", got)
	}
}

func TestReadyEventsOfTenantsTakeTurns(t *testing.T) {
	r := newFairRig(t)
	p := r.poll()
	var items []core.Item
	for i, tenant := range []string{"a", "a", "a", "b", "a", "c", "b"} {
		id := fmt.Sprint(tenant, i)
		row := driver.Claimed{Held: driver.Held{EventID: id, Seq: int64(i + 1), ClaimNo: 1}, Event: outbox.Event{ID: id, Type: "A", TenantID: tenant}}
		items = append(items, core.NewItem(&row, r.dest, r.now))
	}
	r.step(func(c *core.Core) { c.Claims.Claimed(p, items, r.now) })
	var order []string
	for len(r.fx.Runs) > 0 {
		run := r.fx.Runs[0]
		r.fx.Runs = r.fx.Runs[1:]
		order = append(order, run.Items[0].Held().EventID)
		r.finish(run, core.Answer{})
	}
	if want := []string{"a0", "b3", "c5", "a1", "b6", "a2", "a4"}; !slices.Equal(order, want) {
		t.Errorf("they ran as %v, expected %v", order, want)
	}
}
