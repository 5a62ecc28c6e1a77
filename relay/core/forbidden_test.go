package core

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// A bug must not make the counts wrong as well: a shutdown waits for them.
func TestATransitionThatIsForbiddenIsNotedAndNotMade(t *testing.T) {
	c := New(Config{Lease: 15 * time.Second, MaxBytes: 1 << 20, MaxHeld: 100, MaxUnsettled: 100, SettleBatch: 100})
	l := c.Lanes.Add("A", LaneConfig{Workers: 1, ColdQueue: 10, Batch: 10}, nil)
	c.Start()
	it := NewItem(&driver.Claimed{Held: driver.Held{EventID: "x", ClaimNo: 1}, Event: outbox.Event{ID: "x", Type: "A"}}, nil, time.Now())
	it.lane = l
	var fx Effects
	c.Step(time.Now(), &fx, func(*Core) {
		c.mem.book.add(&it)
		c.mem.move(&it, Ready)
		c.mem.move(&it, Running)
		before := c.Load()
		c.mem.ready(&it)
		if it.state != Running || c.Load() != before {
			t.Errorf("a running event is %s, and the load %v instead of %v", it.state, c.Load(), before)
		}
		c.mem.move(&it, Gone)
		c.mem.unsettle(&it)
		if it.state != Gone || c.Load() != (Load{}) || len(c.mem.unsettled.fresh) != 0 {
			t.Errorf("an event that is gone is %s, and the load %v", it.state, c.Load())
		}
	})
	if bugs := bugsIn(fx); len(bugs) != 2 {
		t.Errorf("%d bugs are noted, want two", len(bugs))
	}
}

func TestATransitionOfADestinationThatIsForbiddenIsNotedAndNotMade(t *testing.T) {
	c := New(Config{Lease: 15 * time.Second})
	b := c.Dests.Add("there", false, false, nil).breaker
	var fx Effects
	c.Step(time.Now(), &fx, func(*Core) { b.move(trying) })
	if b.state != closed {
		t.Errorf("the destination is %s", b.state)
	}
	bugs := bugsIn(fx)
	if len(bugs) != 1 || bugs[0].Target != "there" || bugs[0].Text != "destination there went from closed to trying" {
		t.Errorf("noted %v", bugs)
	}
}

func bugsIn(fx Effects) (bugs []Note) {
	for _, n := range fx.Notes {
		if n.Kind == NoteBug {
			bugs = append(bugs, n)
		}
	}
	return bugs
}
