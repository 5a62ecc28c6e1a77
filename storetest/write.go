package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func writeLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:    "event and business change are committed together",
			Why:     "this is what an outbox is for",
			Applies: func(s Subject[Tx]) bool { return s.Change != nil && s.Changes != nil },
			Check:   check(committedTogether[Tx]),
		},
		{
			Name:    "event and business change are rolled back together",
			Why:     "an event about something that never happened is worse than none",
			Applies: func(s Subject[Tx]) bool { return s.Change != nil && s.Changes != nil },
			Check:   check(rolledBackTogether[Tx]),
		},
		{
			Name:  "an event is invisible until its transaction commits",
			Why:   "delivering it earlier tells of a change that may yet be rolled back",
			Check: check(invisibleUntilCommit[Tx]),
		},
		{
			Name:  "a write without an open transaction is refused",
			Why:   "it would be stored apart from the business change, or not at all, without anyone noticing",
			Check: check(refusedWithoutTx[Tx]),
		},
		{
			Name:  "a large batch is written whole and in order",
			Why:   "what exceeds one statement is split, and nothing may get lost or swapped at the seams",
			Check: check(largeBatch[Tx]),
		},
		{
			Name:  "a duplicate id is a clear error, and the caller can roll back",
			Why:   "callers choose ids for idempotency, and must be able to tell a duplicate from a fault",
			Check: check(duplicateID[Tx]),
		},
		{
			Name:  "write-if-absent skips ids that are pending, done or dead",
			Why:   "a repeated request must neither fail nor deliver its event again",
			Check: check(writeIfAbsent[Tx]),
		},
		{
			Name:    "of two open transactions that write one id, one wins",
			Why:     "two rows of one id would be delivered as one event twice",
			Applies: func(s Subject[Tx]) bool { return !s.OneTransaction },
			Check:   check(oneOfTwoWins[Tx]),
		},
	}
}

var errUndo = errors.New("undo")

func committedTogether[Tx any](k *kit[Tx]) {
	k.inTx(func(tx Tx) error {
		if err := k.Change(k.ctx, tx); err != nil {
			return err
		}
		_, err := k.w.Write(k.ctx, tx, event(lane))
		return err
	})
	n, err := k.Changes(k.ctx)
	k.must(err)
	if n != 1 {
		k.Errorf("%d business changes, expected 1", n)
	}
	k.claimOne(driver.NewOwner("a"), long)
}

func rolledBackTogether[Tx any](k *kit[Tx]) {
	hook := &recordingHook{headStart: brief}
	w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
	err := w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
		if err := k.Change(ctx, tx); err != nil {
			return err
		}
		if _, err := w.WriteAll(ctx, tx, events(lane, 3)...); err != nil {
			return err
		}
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		k.Fatalf("InTx returned %v, expected the function's own error", err)
	}
	n, err := k.Changes(k.ctx)
	k.must(err)
	if n != 0 {
		k.Errorf("%d business changes, expected none", n)
	}
	if len(hook.committed) != 0 || len(hook.dropped) != 3 {
		k.Errorf("the hook was told of %d commits and %d drops, expected 0 and 3", len(hook.committed), len(hook.dropped))
	}
	k.nothingStored()
}

func invisibleUntilCommit[Tx any](k *kit[Tx]) {
	tx, commit, rollback, err := k.Store.Begin(k.ctx)
	k.must(err)
	defer func() { _ = rollback() }()
	id, err := k.w.Write(k.ctx, tx, event(lane))
	k.must(err)
	cs, err := k.whileOpen(func(ctx context.Context) ([]driver.Claimed, error) {
		return k.client(1).Claim(ctx, driver.ClaimRequest{Owner: driver.NewOwner("b"), Lease: long, Wants: wants(lane)})
	})
	k.must(err)
	if len(cs) > 0 {
		k.Fatalf("claimed %v, which is not committed", heldOf(cs))
	}
	k.must(commit())
	if c := k.claimSoon(driver.NewOwner("a"), long, 1)[0]; c.EventID != id {
		k.Errorf("claimed %s, expected %s", c.EventID, id)
	}
}

// whileOpen asks while a transaction is open. A database that runs one
// transaction at a time gives no answer then, which counts as nothing.
func (k *kit[Tx]) whileOpen(f func(context.Context) ([]driver.Claimed, error)) ([]driver.Claimed, error) {
	if !k.OneTransaction {
		return f(k.ctx)
	}
	ctx, cancel := context.WithTimeout(k.ctx, 100*brief)
	defer cancel()
	cs, err := f(ctx)
	if err != nil {
		return nil, nil
	}
	return cs, nil
}

func refusedWithoutTx[Tx any](k *kit[Tx]) {
	committed, commit, _, err := k.Store.Begin(k.ctx)
	k.must(err)
	k.must(commit())
	rolledBack, _, rollback, err := k.Store.Begin(k.ctx)
	k.must(err)
	k.must(rollback())
	for name, tx := range map[string]Tx{"no": *new(Tx), "a committed": committed, "a rolled back": rolledBack} {
		for _, n := range []int{1, 3} {
			if _, err := k.w.WriteAll(k.ctx, tx, events(lane, n)...); !errors.Is(err, outbox.ErrNoTransaction) {
				k.Errorf("%d events in %s transaction: error %v, expected ErrNoTransaction", n, name, err)
			}
		}
		if _, err := k.w.WriteIfAbsent(k.ctx, tx, event(lane)); !errors.Is(err, outbox.ErrNoTransaction) {
			k.Errorf("if absent in %s transaction: error %v, expected ErrNoTransaction", name, err)
		}
	}
	k.nothingStored()
}

func largeBatch[Tx any](k *kit[Tx]) {
	es := events(lane, 1203)
	for i := range es {
		es[i].Headers = map[string]string{"n": fmt.Sprint(i)}
		es[i].AggregateID = fmt.Sprint(i)
	}
	for range 5 { // and more bytes than one statement may carry
		es = append(es, outbox.Event{Type: lane, Bytes: make([]byte, outbox.MaxPayload)})
	}
	ids := k.write(es...)
	cs := k.claim(driver.NewOwner("a"), lane)
	if got := idsOf(cs); !slices.Equal(got, ids) {
		k.Fatalf("claimed %d events in another order than the %d ids that the write returned", len(got), len(ids))
	}
	for i, c := range cs {
		es[i].ID = ids[i]
		if d := difference(c.Event, es[i], k.ClockResolution); d != "" {
			k.Fatalf("event %d differs: %s", i, d)
		}
	}
}

func duplicateID[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	pending, done := event(lane), event("other")
	pending.ID, done.ID = k.write(pending)[0], k.write(done)[0]
	k.mustSettle(a, driver.Outcome{Held: k.claim(a, "other")[0].Held, Kind: driver.Done})
	for _, again := range []outbox.Event{pending, done} {
		fresh := event(lane)
		err := k.w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
			if _, err := k.w.Write(ctx, tx, fresh); err != nil {
				return err
			}
			_, err := k.w.WriteAll(ctx, tx, []outbox.Event{event(lane), again, event(lane)}...)
			return err
		})
		if !errors.Is(err, outbox.ErrDuplicateID) || !strings.Contains(err.Error(), " "+again.ID+": use WriteIfAbsent") {
			k.Errorf("error %v, expected ErrDuplicateID with the id %s and the advice to use WriteIfAbsent", err, again.ID)
		}
	}
	if c := k.claimOne(a, long); c.EventID != pending.ID {
		k.Errorf("claimed %s, expected only %s", c.EventID, pending.ID)
	}
	k.write(event(lane)) // the connections are usable
}

func writeIfAbsent[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	pending, done, dead, fresh := event("pending"), event("done"), event("dead"), event(lane)
	pending.ID, done.ID, dead.ID = k.write(pending)[0], k.write(done)[0], k.write(dead)[0]
	fresh.ID = outbox.NewID()
	k.mustSettle(a,
		driver.Outcome{Held: k.claim(a, "done")[0].Held, Kind: driver.Done},
		driver.Outcome{Held: k.claim(a, "dead")[0].Held, Kind: driver.Dead, Error: "no"})
	var existing []string
	k.inTx(func(tx Tx) (err error) {
		if existing, err = k.w.WriteIfAbsent(k.ctx, tx, pending, fresh, done, dead); err != nil {
			return err
		}
		_, err = k.w.Write(k.ctx, tx, event("after"))
		return err
	})
	k.sameIDs("existing", existing, []string{pending.ID, done.ID, dead.ID})
	cs := k.claim(a, lane, "pending", "done", "dead", "after")
	if len(cs) != 3 {
		k.Errorf("claimed %v: expected the pending, the fresh and the one after", heldOf(cs))
	}
	k.inTx(func(tx Tx) (err error) {
		existing, err = k.w.WriteIfAbsent(k.ctx, tx, fresh)
		return err
	})
	k.sameIDs("existing at the second time", existing, []string{fresh.ID})
	k.claimNothing("it was written before", lane)
}

func oneOfTwoWins[Tx any](k *kit[Tx]) {
	for _, firstCommits := range []bool{true, false} {
		e := event(lane)
		e.ID = outbox.NewID()
		tx, commit, rollback, err := k.Store.Begin(k.ctx)
		k.must(err)
		defer func() { _ = rollback() }()
		_, err = k.w.Write(k.ctx, tx, e)
		k.must(err)
		second := make(chan error, 1)
		w := outbox.NewWriter[Tx](k.client(1), nil)
		go func() {
			second <- w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
				_, err := w.Write(ctx, tx, e)
				return err
			})
		}()
		if firstCommits {
			k.must(commit())
		} else {
			k.must(rollback())
		}
		err = <-second
		if firstCommits && !errors.Is(err, outbox.ErrDuplicateID) {
			k.Errorf("the second transaction's error is %v, expected ErrDuplicateID", err)
		}
		// Whether the second waited for the first is the database's choice.
		if !firstCommits && err != nil {
			k.Errorf("the first was rolled back, and the second failed: %v", err)
		}
		if c := k.claimSoon(driver.NewOwner("a"), long, 1)[0]; c.EventID != e.ID {
			k.Errorf("claimed %s, expected %s", c.EventID, e.ID)
		}
	}
}
