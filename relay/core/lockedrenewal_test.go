package core_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// Each may hang, and holds a connection.
func TestLockedRowsAreRenewedOneStatementAtATime(t *testing.T) {
	r := newRig(t, false)
	r.claim(row("x", 1))
	it := r.runs("x")[0].Items[0]
	due := func() (locked int) {
		r.now = r.now.Add(6 * time.Second)
		r.step(func(c *core.Core) { locked = len(c.Leases.Due().Locked) })
		return locked
	}
	due()
	held := []driver.Held{it.Held()}
	r.step(func(c *core.Core) { c.Leases.Renewed([]*core.Item{it}, held, r.now, nil, held) })
	if due() != 1 {
		t.Fatal("a locked row is not renewed")
	}
	r.step(func(c *core.Core) { c.Leases.LockedSent() })
	if due() != 0 {
		t.Error("it is renewed while a renewal is under way")
	}
	r.step(func(c *core.Core) { c.Leases.LockedEnded() })
	if due() != 1 {
		t.Error("it is not renewed after one without an answer")
	}
}
