package storetest

import (
	"context"
	"errors"

	"github.com/sendoff-go/outbox"
)

// What became of a row is seen through the two halves alone: a claim finds what
// is free, Lanes names what is pending, a sweep counts what is done, and a writer
// is told of ids that are there.

// stored returns the ids that write-if-absent would skip, because they are
// pending, done or dead. It writes nothing.
func (k *kit[Tx]) stored(ids ...string) (existing []string) {
	k.Helper()
	k.undone(func(ctx context.Context, tx Tx) (err error) {
		existing, err = k.w.WriteIfAbsent(ctx, tx, namedAll(ids)...)
		return err
	})
	return existing
}

// dead expects those events to be dead: their ids are known and, unlike those
// of pending and done rows, may be written again.
func (k *kit[Tx]) dead(ids ...string) {
	k.Helper()
	k.sameIDs("known, though dead", k.stored(ids...), ids)
	k.undone(func(ctx context.Context, tx Tx) error {
		_, err := k.w.WriteAll(ctx, tx, namedAll(ids)...)
		return err
	})
}

// kept expects rows of those ids, pending or done.
func (k *kit[Tx]) kept(ids ...string) {
	k.Helper()
	for _, id := range ids {
		err := k.w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
			if _, err := k.w.Write(ctx, tx, named(id)); err != nil {
				return err
			}
			return errUndo
		})
		if !errors.Is(err, outbox.ErrDuplicateID) {
			k.Fatalf("event %s is not pending, nor kept as done: writing its id gave %v, expected ErrDuplicateID", id, err)
		}
	}
}

// gone expects nothing of those ids.
func (k *kit[Tx]) gone(ids ...string) {
	k.Helper()
	k.sameIDs("stored", k.stored(ids...), nil)
}

// nonePending expects no pending row, free or held.
func (k *kit[Tx]) nonePending() {
	k.Helper()
	ls, err := k.Store.Lanes(k.ctx, "", 10)
	k.must(err)
	if len(ls) > 0 {
		k.Errorf("lanes %+v have pending rows, expected none", ls)
	}
}

// nothingStored expects no row, pending or done.
func (k *kit[Tx]) nothingStored() {
	k.Helper()
	k.nonePending()
	if n, err := k.Store.Sweep(k.ctx, 0, all); n != 0 || err != nil {
		k.Errorf("swept %d rows of a store that should be empty (error %v)", n, err)
	}
}

// undone runs f in a transaction and rolls it back.
func (k *kit[Tx]) undone(f func(ctx context.Context, tx Tx) error) {
	k.Helper()
	err := k.w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
		if err := f(ctx, tx); err != nil {
			return err
		}
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		k.Fatalf("unexpected error: %v", err)
	}
}

func namedAll(ids []string) []outbox.Event {
	es := make([]outbox.Event, len(ids))
	for i, id := range ids {
		es[i] = named(id)
	}
	return es
}
