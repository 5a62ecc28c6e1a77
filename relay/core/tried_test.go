package core

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// What is done or dead does not come again.
func TestARoundRemembersWhatGoesBackToTheTableAlone(t *testing.T) {
	r, lane := newRound(time.Now()), &Lane{cfg: LaneConfig{Workers: 1}}
	for kind, want := range map[driver.OutcomeKind]bool{driver.Done: false, driver.Dead: false, driver.Retry: true, driver.Release: true} {
		id := kind.String()
		r.note(&Item{claim: claim{held: driver.Held{EventID: id}}, outcome: Outcome{Kind: kind}, lane: lane})
		if r.has(id) != want {
			t.Errorf("it remembers one of the outcome %s: %t", id, !want)
		}
	}
}

// A round over a table in which everything fails, or is given back, would remember
// every id of it.
func TestARoundThatRemembersTooMuchEnds(t *testing.T) {
	c := New(Config{Lease: 15 * time.Second, MaxBytes: 1 << 20, MaxHeld: 100, MaxUnsettled: 100, SettleBatch: 100})
	c.Lanes.Add("A", LaneConfig{Workers: 1, ColdQueue: 10, Batch: 10}, nil)
	c.Start()
	now := time.Now()
	next := func() (p Polling) {
		now = now.Add(time.Minute)
		c.Step(now, &Effects{}, func(c *Core) { p = c.Claims.NextOfRound() })
		return p
	}
	c.Step(now, &Effects{}, func(c *Core) { c.Claims.BeginRound() })
	for i := range maxTried {
		if i == maxTried-1 && len(next().Wants) == 0 {
			t.Fatal("the round is over before")
		}
		kind := []driver.OutcomeKind{driver.Retry, driver.Release}[i%2]
		c.mem.round.note(&Item{claim: claim{held: driver.Held{EventID: fmt.Sprint(i)}}, outcome: Outcome{Kind: kind}, lane: c.mem.lanes.list[0]})
	}
	c.mem.round.asksAgain(c.mem.lanes.list[0]) // there is more
	if p := next(); len(p.Wants) != 0 {
		t.Errorf("the round goes on with %d ids", len(c.mem.round.tried))
	}
}
