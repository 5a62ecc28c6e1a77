package inboxtest

import (
	"errors"
	"slices"

	"github.com/sendoff-go/outbox"
)

func joinLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "an id joins the caller's transaction, and stands or falls with it",
			Why:   "the effect is the caller's, and the id without it loses the event",
			Check: check(joins[Tx]),
		},
		{
			Name:  "a batch joins the caller's transaction, with the new ones in order",
			Why:   "the caller makes the effect of what it is told is new, and of nothing else",
			Check: check(batchJoins[Tx]),
		},
	}
}

func joins[Tx any](k *kit[Tx]) {
	c := k.consumer(k.Ledger, group)
	consume := func(id string, end error) (fresh bool) {
		k.Helper()
		k.inTx(k.Ledger, func(tx Tx) (err error) {
			if fresh, err = c.ConsumeIn(k.ctx, tx, received(id)[0]); err != nil || !fresh {
				return err
			}
			return errors.Join(k.Effect(k.ctx, tx, group, id), end)
		})
		return fresh
	}
	k.expect("rolled back, committed, repeated", []bool{consume("a", errUndo), consume("a", nil), consume("a", nil)}, true, true, false)
	if ran := k.consume(c, group, "a"); len(ran) > 0 {
		k.Error("the handler ran for what the caller had consumed")
	}
	k.expectEffects(1, group, "a")
}

func batchJoins[Tx any](k *kit[Tx]) {
	c := k.consumer(k.Ledger, group)
	k.consume(c, group, "b")
	var fresh []outbox.Received
	k.inTx(k.Ledger, func(tx Tx) (err error) {
		if fresh, err = c.ConsumeBatchIn(k.ctx, tx, received("c", "b", "a", "c")); err != nil {
			return err
		}
		again, err := c.ConsumeBatchIn(k.ctx, tx, received("d", "a"))
		fresh = append(fresh, again...)
		if err != nil {
			return err
		}
		return k.effect(group, nil, nil)(k.ctx, tx, fresh)
	})
	if got, want := idsOf(fresh), []string{"c", "a", "d"}; !slices.Equal(got, want) {
		k.Errorf("new are %v, expected %v", got, want)
	}
	k.expectEffects(1, group, "a", "b", "c", "d")
}
