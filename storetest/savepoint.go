package storetest

import (
	"context"
	"errors"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func savepointLaws[Tx any]() []Law[Tx] {
	laws := []Law[Tx]{
		{
			Name:  "an event in a savepoint that is rolled back is never delivered",
			Why:   "nested transactions of ORMs are savepoints, and what they undo never happened",
			Check: check(savepointRolledBack[Tx]),
		},
		{
			Name:  "an event written inside a savepoint that is kept is delivered",
			Why:   "most nested transactions succeed",
			Check: check(savepointKept[Tx]),
		},
		{
			Name:  "no event inside a savepoint passes for top-level",
			Why:   "a top-level event is delivered from memory without a look at the database",
			Check: check(savepointIsNotTopLevel[Tx]),
		},
		{
			Name:  "nested savepoints undo what they enclose",
			Why:   "nested transactions nest",
			Check: check(savepointsNest[Tx]),
		},
		{
			Name:  "an id rewritten after a savepoint rollback is delivered once",
			Why:   "the first write is still in memory, with a payload that was never committed",
			Check: check(savepointRewrite[Tx]),
		},
		{
			Name:  "rolling back to a savepoint undoes a duplicate id",
			Why:   "this is how callers guard a write that may fail",
			Check: check(savepointAfterDuplicate[Tx]),
		},
	}
	for i := range laws {
		laws[i].Applies = func(s Subject[Tx]) bool { return s.Savepoint != nil && s.RollbackTo != nil }
	}
	return laws
}

// step is one thing done in a transaction.
type step[Tx any] func(ctx context.Context, w *outbox.Writer[Tx], tx Tx) error

func (k *kit[Tx]) savepoint(name string) step[Tx] {
	return func(ctx context.Context, _ *outbox.Writer[Tx], tx Tx) error { return k.Savepoint(ctx, tx, name) }
}

func (k *kit[Tx]) rollbackTo(name string) step[Tx] {
	return func(ctx context.Context, _ *outbox.Writer[Tx], tx Tx) error { return k.RollbackTo(ctx, tx, name) }
}

func writes[Tx any](e outbox.Event) step[Tx] {
	return func(ctx context.Context, w *outbox.Writer[Tx], tx Tx) error {
		_, err := w.Write(ctx, tx, e)
		return err
	}
}

// steps runs them in one tracked transaction, whose rows have a short head
// start, and returns what the hook received.
func (k *kit[Tx]) steps(steps ...step[Tx]) *recordingHook {
	k.Helper()
	hook := &recordingHook{headStart: brief}
	w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
	k.must(w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
		for _, s := range steps {
			if err := s(ctx, w, tx); err != nil {
				return err
			}
		}
		return nil
	}))
	return hook
}

// delivered checks what both paths would deliver after those steps: what the
// hot path may run, and what the poller finds.
func (k *kit[Tx]) delivered(hook *recordingHook, want ...string) []driver.Claimed {
	k.Helper()
	var hot []string
	for _, w := range hook.committed {
		there := []driver.Held{hotHeld(w)}
		if w.Confirm {
			var err error
			there, err = k.Store.Confirm(k.ctx, there)
			k.must(err)
		}
		if len(there) == 1 {
			hot = append(hot, w.Event.ID)
		}
	}
	k.sameIDs("the hot path would deliver", hot, want)
	a := driver.NewOwner("a")
	cs := k.claimSoon(a, long, len(want))
	k.sameIDs("the poller would deliver", idsOf(cs), want)
	for _, c := range cs {
		k.settleAndDelete(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	k.nothingStored() // no rows but those
	return cs
}

func named(id string) outbox.Event {
	e := event(lane)
	e.ID = id
	return e
}

func savepointRolledBack[Tx any](k *kit[Tx]) {
	hook := k.steps(
		writes[Tx](named("before")),
		k.savepoint("s"), writes[Tx](named("inside")), k.rollbackTo("s"))
	k.delivered(hook, "before")
}

func savepointKept[Tx any](k *kit[Tx]) {
	hook := k.steps(
		writes[Tx](named("before")),
		k.savepoint("s"), writes[Tx](named("inside")), writes[Tx](named("inside-too")))
	k.delivered(hook, "before", "inside", "inside-too")
}

func savepointIsNotTopLevel[Tx any](k *kit[Tx]) {
	hook := k.steps(
		k.savepoint("s1"), writes[Tx](named("inside")),
		k.savepoint("s2"), writes[Tx](named("deeper")), k.rollbackTo("s2"),
		writes[Tx](named("after-inner")), k.rollbackTo("s1"),
		writes[Tx](named("after-outer")))
	for _, w := range hook.committed {
		if !w.Confirm {
			k.Errorf("%q passed for top-level, but a savepoint was open", w.Event.ID)
		}
	}
}

func savepointsNest[Tx any](k *kit[Tx]) {
	hook := k.steps(
		writes[Tx](named("1")),
		k.savepoint("a"), writes[Tx](named("2")),
		k.savepoint("b"), writes[Tx](named("3")), k.rollbackTo("b"),
		writes[Tx](named("4")),
		k.savepoint("c"), writes[Tx](named("5")),
		k.savepoint("d"), writes[Tx](named("6")), k.rollbackTo("c"),
		writes[Tx](named("7")))
	k.delivered(hook, "1", "2", "4", "7")
}

func savepointRewrite[Tx any](k *kit[Tx]) {
	first, second := named("again"), named("again")
	first.JSON, second.JSON = []byte(`"first"`), []byte(`"second"`)
	hook := k.steps(
		k.savepoint("s"), writes[Tx](first), k.rollbackTo("s"),
		writes[Tx](second), writes[Tx](named("other")))
	ids := []string{}
	for _, w := range hook.committed {
		ids = append(ids, w.Event.ID)
		if w.Event.ID == "again" && string(w.Event.JSON) != `"second"` {
			k.Errorf("the hot path has %s, committed was %s", w.Event.JSON, second.JSON)
		}
	}
	if !slices.Equal(ids, []string{"again", "other"}) {
		k.Errorf("the hook was told of %v, expected each once, in order", ids)
	}
	if len(hook.dropped) != 1 || string(hook.dropped[0].Event.JSON) != `"first"` {
		k.Errorf("dropped were %+v, expected the first write", hook.dropped)
	}
	for _, c := range k.delivered(hook, "again", "other") {
		if c.EventID == "again" && string(c.Event.JSON) != `"second"` {
			k.Errorf("the poller has %s, committed was %s", c.Event.JSON, second.JSON)
		}
	}
}

func savepointAfterDuplicate[Tx any](k *kit[Tx]) {
	k.write(outbox.Event{ID: "once", Type: "other", JSON: []byte(`1`)})
	k.claim(driver.NewOwner("a"), "other")
	duplicate := func(ctx context.Context, w *outbox.Writer[Tx], tx Tx) error {
		if _, err := w.Write(ctx, tx, named("once")); !errors.Is(err, outbox.ErrDuplicateID) {
			k.Errorf("error %v, expected ErrDuplicateID", err)
		}
		return nil
	}
	k.steps(
		writes[Tx](named("before")),
		k.savepoint("s"), duplicate, k.rollbackTo("s"),
		writes[Tx](named("after")))
	k.sameIDs("claimed", idsOf(k.claimSoon(driver.NewOwner("b"), long, 2)), []string{"before", "after"})
}
