package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

func TestALaneWhoseTenantsCannotBeListedIsWholeForAMinute(t *testing.T) {
	r := newFairRig(t)
	fail := func(p core.Polling) core.Polling {
		if p.Wants[0].Tenants == 0 {
			t.Fatal("the lane is not to be divided")
		}
		p.Unlisted(0, errors.New("too slow"))
		if p.Wants[0].Tenants != 0 {
			t.Error("its tenants are listed all the same")
		}
		return p
	}
	whole := func() bool { return r.rig.poll().Wants[0].Tenants == 0 }

	r.answer(r.rig.poll(), nil) // a full claim
	p := fail(r.rig.poll())
	r.step(func(c *core.Core) { c.Claims.Failed(p) })
	r.now = r.now.Add(15 * time.Second) // the database was away, which says nothing of the list
	r.fx.Reset()
	r.answer(fail(r.rig.poll()), nil)
	if n := noted(r, core.NoteUnlisted); n != 1 {
		t.Errorf("%d notes, want one", n)
	}
	r.now = r.now.Add(59 * time.Second)
	if !whole() {
		t.Error("it is divided again within a minute")
	}
	r.now = r.now.Add(2 * time.Second)
	if whole() {
		t.Error("it is not divided after a minute")
	}
}

// noted counts the notes of a kind.
func noted(r *fairRig, kind core.NoteKind) (n int) {
	for _, note := range r.fx.Notes {
		if note.Kind == kind {
			n++
		}
	}
	return n
}
