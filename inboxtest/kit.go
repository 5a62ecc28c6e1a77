package inboxtest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
)

// group is for laws that need only one.
const group = "billing"

// patience is how long a test waits for something that must happen: longer than
// a busy machine stands still. It is used up only if a law is violated, so the
// suite's own tests shorten it.
var patience = 2 * time.Minute

// moment is how long a test waits for something that must not happen.
const moment = 50 * time.Millisecond

var errUndo = errors.New("undo this transaction")

// kit is a ledger under test with the helpers of the laws. Its methods fail the
// test on any error.
type kit[Tx any] struct {
	testing.TB
	Subject[Tx]
	ctx context.Context
}

func newKit[Tx any](t testing.TB, s Subject[Tx]) *kit[Tx] {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return &kit[Tx]{TB: t, Subject: s, ctx: ctx}
}

func (k *kit[Tx]) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatalf("unexpected error: %v", err)
	}
}

// inTx runs f in a transaction, and commits it unless f returns errUndo.
func (k *kit[Tx]) inTx(l driver.Ledger[Tx], f func(tx Tx) error) {
	k.Helper()
	tx, commit, rollback, err := l.Begin(k.ctx)
	k.must(err)
	if err := f(tx); err != nil {
		rollbackErr := rollback()
		if !errors.Is(err, errUndo) {
			k.must(err)
		}
		k.must(rollbackErr)
		return
	}
	k.must(commit())
}

// record notes ids and commits.
func (k *kit[Tx]) record(l driver.Ledger[Tx], group string, ids ...string) (fresh []bool) {
	k.Helper()
	k.inTx(l, func(tx Tx) (err error) {
		fresh, err = l.Record(k.ctx, tx, group, ids)
		return err
	})
	return fresh
}

// expect compares answers about ids.
func (k *kit[Tx]) expect(what string, got []bool, want ...bool) {
	k.Helper()
	if !slices.Equal(got, want) {
		k.Errorf("%s: answered %v, expected %v", what, got, want)
	}
}

// expectKnown looks up the ids in both clients.
func (k *kit[Tx]) expectKnown(want bool, group string, ids ...string) {
	k.Helper()
	for _, l := range []driver.Ledger[Tx]{k.Ledger, k.Peer} {
		known, err := l.Known(k.ctx, group, ids)
		k.must(err)
		if len(known) != len(ids) || slices.Contains(known, !want) {
			k.Errorf("group %s: known %v of %v, expected %t for each", group, known, ids, want)
		}
	}
}

// consumer makes a consumer of that group.
func (k *kit[Tx]) consumer(l driver.Ledger[Tx], group string) *inbox.Consumer[Tx] {
	k.Helper()
	c, err := inbox.New(l, inbox.Config{Group: group})
	k.must(err)
	return c
}

// received makes messages with those ids.
func received(ids ...string) []outbox.Received {
	ms := make([]outbox.Received, len(ids))
	for i, id := range ids {
		ms[i] = outbox.Received{EventID: id, EventType: "OrderPlaced", Payload: []byte(`{"id":"` + id + `"}`)}
	}
	return ms
}

func idsOf(ms []outbox.Received) []string {
	ids := make([]string, len(ms))
	for i, m := range ms {
		ids[i] = m.EventID
	}
	return ids
}

// effect makes the effect of events that are new, under the group's name.
func (k *kit[Tx]) effect(group string, ran *[]string, end error) func(context.Context, Tx, []outbox.Received) error {
	return func(ctx context.Context, tx Tx, fresh []outbox.Received) error {
		if ran != nil {
			*ran = append(*ran, idsOf(fresh)...)
		}
		for _, m := range fresh {
			if err := k.Effect(ctx, tx, group, m.EventID); err != nil {
				return err
			}
		}
		return end
	}
}

// consume delivers ids and returns those that the handler got.
func (k *kit[Tx]) consume(c *inbox.Consumer[Tx], group string, ids ...string) (ran []string) {
	k.Helper()
	k.must(c.ConsumeBatch(k.ctx, received(ids...), k.effect(group, &ran, nil)))
	return ran
}

// expectEffects compares the number of effects of each id of a group.
func (k *kit[Tx]) expectEffects(want int, group string, ids ...string) {
	k.Helper()
	effects, err := k.Effects(k.ctx, group)
	k.must(err)
	for _, id := range ids {
		if got := effects[id]; got != want {
			k.Errorf("event %s had its effect %d times in group %s, expected %d", id, got, group, want)
		}
	}
}

// eventually polls until f is true.
func (k *kit[Tx]) eventually(what string, f func() bool) {
	k.Helper()
	deadline, tick := time.NewTimer(patience), time.NewTicker(5*time.Millisecond)
	defer deadline.Stop()
	defer tick.Stop()
	for !f() {
		select {
		case <-tick.C:
		case <-deadline.C:
			k.Fatalf("timed out after %s waiting until %s", patience, what)
		}
	}
}
