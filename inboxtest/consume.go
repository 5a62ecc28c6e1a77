package inboxtest

import (
	"context"
	"errors"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func consumeLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "the first delivery runs, and the second is skipped without an error",
			Why:   "this is what a consumer is for",
			Check: check(firstRuns[Tx]),
		},
		{
			Name:  "a handler that fails or panics burns nothing",
			Why:   "the broker delivers again, and the event must not be taken for a duplicate",
			Check: check(failureBurnsNothing[Tx]),
		},
		{
			Name:  "a batch runs the new ones alone, in order, each once, and nothing if all are old",
			Why:   "a handler relies on the order of the messages",
			Check: check(batches[Tx]),
		},
		{
			Name:  "two groups both get an event",
			Why:   "the second service would never hear of it",
			Check: check(twoGroups[Tx]),
		},
		{
			Name:  "after a commit whose answer was lost the ledger decides",
			Why:   "effect and id stand or fall together, and the consumer knows neither",
			Check: check(lostCommit[Tx]),
		},
	}
}

func firstRuns[Tx any](k *kit[Tx]) {
	runs := 0
	for _, l := range []driver.Ledger[Tx]{k.Ledger, k.Ledger, k.Peer} {
		k.must(k.consumer(l, group).Consume(k.ctx, received("a")[0], func(ctx context.Context, tx Tx) error {
			runs++
			return k.Effect(ctx, tx, group, "a")
		}))
	}
	if runs != 1 {
		k.Errorf("the handler ran %d times", runs)
	}
	k.expectEffects(1, group, "a")
}

func failureBurnsNothing[Tx any](k *kit[Tx]) {
	c := k.consumer(k.Ledger, group)
	k.consume(c, group, "old")
	errHandler := errors.New("no")
	var ran []string
	if err := c.ConsumeBatch(k.ctx, received("a", "old", "b"), k.effect(group, &ran, errHandler)); !errors.Is(err, errHandler) {
		k.Errorf("error %v, expected the handler's", err)
	}
	panics := func(ctx context.Context, tx Tx, fresh []outbox.Received) error {
		_ = k.effect(group, &ran, nil)(ctx, tx, fresh)
		panic("no")
	}
	func() {
		defer func() {
			if recover() == nil {
				k.Error("the panic was swallowed")
			}
		}()
		_ = c.ConsumeBatch(k.ctx, received("a", "b"), panics)
	}()
	if want := []string{"a", "b", "a", "b"}; !slices.Equal(ran, want) {
		k.Errorf("the handler got %v, expected %v", ran, want)
	}
	k.expectKnown(false, group, "a", "b")
	k.expectEffects(0, group, "a", "b")
	k.consume(c, group, "a", "b")
	k.expectEffects(1, group, "a", "b", "old")
}

func batches[Tx any](k *kit[Tx]) {
	c := k.consumer(k.Ledger, group)
	for _, tt := range []struct{ deliver, runs []string }{
		{[]string{"d", "b"}, []string{"d", "b"}},
		{[]string{"e", "d", "c", "e", "b", "a", "a", "c"}, []string{"e", "c", "a"}},
		{[]string{"a", "b", "c", "d", "e", "e"}, nil},
		{nil, nil},
	} {
		if ran := k.consume(c, group, tt.deliver...); !slices.Equal(ran, tt.runs) {
			k.Errorf("of %v the handler got %v, expected %v", tt.deliver, ran, tt.runs)
		}
	}
	called := false
	k.must(c.ConsumeBatch(k.ctx, received("a", "b"), func(context.Context, Tx, []outbox.Received) error {
		called = true
		return nil
	}))
	if called {
		k.Error("the handler was called although all are old")
	}
	k.expectEffects(1, group, "a", "b", "c", "d", "e")
}

func twoGroups[Tx any](k *kit[Tx]) {
	for _, g := range []string{"billing", "shipping", "billing", "shipping"} {
		k.consume(k.consumer(k.Ledger, g), g, "a", "b")
	}
	k.expectEffects(1, "billing", "a", "b")
	k.expectEffects(1, "shipping", "a", "b")
}

// lostAnswers is a ledger whose commits happen or not, and are never answered.
type lostAnswers[Tx any] struct {
	driver.Ledger[Tx]
	commits bool
}

func (l lostAnswers[Tx]) Begin(ctx context.Context) (tx Tx, commit, rollback func() error, err error) {
	tx, commit, rollback, err = l.Ledger.Begin(ctx)
	end := rollback
	if l.commits {
		end = commit
	}
	return tx, func() error { return errors.Join(outbox.ErrCommitUnknown, end()) }, rollback, err
}

func lostCommit[Tx any](k *kit[Tx]) {
	for id, commits := range map[string]bool{"committed": true, "lost": false} {
		lossy := k.consumer(lostAnswers[Tx]{k.Ledger, commits}, group)
		var ran []string
		if err := lossy.ConsumeBatch(k.ctx, received(id), k.effect(group, &ran, nil)); !errors.Is(err, outbox.ErrCommitUnknown) {
			k.Errorf("error %v, expected ErrCommitUnknown", err)
		}
		ran = append(ran, k.consume(k.consumer(k.Peer, group), group, id)...)
		want := 2
		if commits {
			want = 1
		}
		if len(ran) != want {
			k.Errorf("%s: the handler ran %d times, expected %d", id, len(ran), want)
		}
		k.expectEffects(1, group, id)
	}
}
