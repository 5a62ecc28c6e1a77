package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func trackLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "writes of one transaction are handed over once, in order",
			Why:   "the hot path delivers what it is handed, as often and in the order that it is",
			Check: check(handedOver[Tx]),
		},
		{
			Name:  "a transaction that the caller ends is handed over with done",
			Why:   "applications have their own way to begin and end transactions",
			Check: check(trackByHand[Tx]),
		},
		{
			Name:  "a commit whose answer was lost hands over nothing, yet delivers",
			Why:   "delivering what may have been rolled back is as wrong as losing what was not",
			Check: check(commitUnknown[Tx]),
		},
		{
			Name:  "a panic rolls the transaction back",
			Why:   "an open transaction holds its locks and its connection",
			Check: check(panicRollsBack[Tx]),
		},
		{
			Name:  "write hooks change, drop and refuse events before they are stored",
			Why:   "what hooks decide must be what is delivered",
			Check: check(writeHooksAct[Tx]),
		},
		{
			Name:  "typed events and plain values arrive as they were encoded",
			Why:   "definitions and Publish are how most applications write",
			Check: check(typedEvents[Tx]),
		},
		{
			Name:  "an event that breaks a limit leaves the transaction as it was",
			Why:   "a refused event must not cost the caller the business transaction",
			Check: check(limitsLeaveTheTransaction[Tx]),
		},
	}
}

func handedOver[Tx any](k *kit[Tx]) {
	hook := &recordingHook{headStart: long}
	w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
	var ids []string
	k.must(w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
		for _, n := range []int{1, 3, 600} {
			more, err := w.WriteAll(ctx, tx, events(lane, n)...)
			if err != nil {
				return err
			}
			ids = append(ids, more...)
		}
		if len(hook.committed) > 0 {
			k.Errorf("the hook was told before the commit")
		}
		return nil
	}))
	var told []string
	var held []driver.Held
	for i, w := range hook.committed {
		told, held = append(told, w.Event.ID), append(held, hotHeld(w))
		if w.Seq <= 0 || w.HeadStart != long || (i > 0 && w.Seq <= hook.committed[i-1].Seq) {
			k.Fatalf("event %d has seq %d and a head start of %s", i, w.Seq, w.HeadStart)
		}
	}
	if !slices.Equal(told, ids) {
		k.Errorf("the hook was told of %d events, expected the %d that were written, in order", len(told), len(ids))
	}
	there, err := k.Store.Confirm(k.ctx, held)
	k.must(err)
	k.sameHeld("confirmed", there, held)
	taken, err := k.Store.Take(k.ctx, driver.NewOwner("a"), long, held)
	k.must(err)
	if len(taken) != len(held) {
		k.Errorf("took %d of %d by name", len(taken), len(held))
	}
}

func trackByHand[Tx any](k *kit[Tx]) {
	for _, commits := range []bool{true, false} {
		hook := &recordingHook{headStart: long}
		w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
		ctx, done := w.Track(k.ctx)
		tx, commit, rollback, err := k.Store.Begin(ctx)
		k.must(err)
		id, err := w.Write(ctx, tx, event(lane))
		k.must(err)
		if commits {
			k.must(done(commit()))
			k.must(done(nil)) // once more, as a deferred call would
		} else if k.must(rollback()); !errors.Is(done(errUndo), errUndo) {
			k.Errorf("done does not return the error it was given")
		}
		want := map[bool]int{true: 1, false: 0}[commits]
		if len(hook.committed) != want || len(hook.dropped) != 1-want {
			k.Errorf("committed: %t, but the hook was told of %d commits and %d drops", commits, len(hook.committed), len(hook.dropped))
		}
		k.sameIDs("stored", k.stored(id), []string{id}[:want])
	}
}

// losesAnswers commits and then loses the answer.
type losesAnswers[Tx any] struct{ Store[Tx] }

func (s losesAnswers[Tx]) Begin(ctx context.Context) (Tx, func() error, func() error, error) {
	tx, commit, rollback, err := s.Store.Begin(ctx)
	return tx, func() error {
		if err := commit(); err != nil {
			return err
		}
		return fmt.Errorf("%w: connection reset", outbox.ErrCommitUnknown)
	}, rollback, err
}

func commitUnknown[Tx any](k *kit[Tx]) {
	hook := &recordingHook{headStart: brief}
	w := outbox.NewWriter[Tx](losesAnswers[Tx]{k.Store}, outbox.WithCommitHook(hook))
	runs := 0
	err := w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
		runs++
		_, err := w.Write(ctx, tx, event(lane))
		return err
	})
	if !errors.Is(err, outbox.ErrCommitUnknown) {
		k.Errorf("error %v, expected ErrCommitUnknown: CommitError must keep it", err)
	}
	if runs != 1 || len(hook.committed) != 0 || len(hook.dropped) != 1 {
		k.Errorf("ran %d times, %d handed over, %d dropped: expected 1, 0 and 1", runs, len(hook.committed), len(hook.dropped))
	}
	k.claimSoon(driver.NewOwner("a"), long, 1)
}

func panicRollsBack[Tx any](k *kit[Tx]) {
	hook := &recordingHook{headStart: long}
	w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
	func() {
		defer func() {
			if p := recover(); p != "oops" {
				k.Errorf("recovered %v, expected the caller's own panic", p)
			}
		}()
		_ = w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
			if _, err := w.Write(ctx, tx, event(lane)); err != nil {
				return err
			}
			panic("oops")
		})
	}()
	if len(hook.committed) != 0 || len(hook.dropped) != 1 {
		k.Fatalf("%d handed over, %d dropped: expected 0 and 1", len(hook.committed), len(hook.dropped))
	}
	k.nothingStored()
	k.gone(hook.dropped[0].Event.ID)
	k.write(event(lane))
}

func writeHooksAct[Tx any](k *kit[Tx]) {
	refuse := errors.New("refused")
	w := outbox.NewWriter[Tx](k.Store, nil, outbox.WithWriteHooks(outbox.WriteHook{
		BeforeWrite: func(_ context.Context, e outbox.Event) (outbox.Event, error) {
			switch e.AggregateID {
			case "skip":
				return e, outbox.Skip
			case "refuse":
				return e, refuse
			}
			e.TenantID = "changed"
			return e, nil
		},
	}))
	keep, skip, bad := event(lane), event(lane), event(lane)
	skip.AggregateID, bad.AggregateID = "skip", "refuse"
	var ids []string
	k.must(w.InTx(k.ctx, func(ctx context.Context, tx Tx) (err error) {
		if _, err := w.WriteAll(ctx, tx, []outbox.Event{keep, bad}...); !errors.Is(err, refuse) {
			k.Errorf("error %v, expected the hook's own", err)
		}
		ids, err = w.WriteAll(ctx, tx, []outbox.Event{skip, keep}...)
		return err
	}))
	c := k.claimOne(driver.NewOwner("a"), long)
	if len(ids) != 2 || ids[0] != "" || ids[1] != c.EventID || c.Event.TenantID != "changed" {
		k.Errorf("ids %q, stored %s of tenant %q", ids, c.EventID, c.Event.TenantID)
	}
}

func typedEvents[Tx any](k *kit[Tx]) {
	type order struct {
		ID    string  `json:"id"`
		Total float64 `json:"total"`
	}
	placed := outbox.Define[order]("Order", "placed")
	want := order{ID: "4711", Total: 12.5}
	k.inTx(func(tx Tx) error {
		_, err := k.w.WriteAll(k.ctx, tx, placed.New("4711", want), placed.New("4711", want))
		return err
	})
	cs := k.claim(driver.NewOwner("a"), "placed")
	if len(cs) != 2 || cs[0].Event.AggregateType != "Order" || cs[0].Event.AggregateID != "4711" {
		k.Fatalf("claimed %v", heldOf(cs))
	}
	for _, c := range cs {
		if got, err := placed.Decode(c.Event); err != nil || got != want {
			k.Errorf("decoded %+v, error %v", got, err)
		}
	}
}

func limitsLeaveTheTransaction[Tx any](k *kit[Tx]) {
	tooLong := make([]byte, outbox.MaxPayload+1)
	bad := map[string]outbox.Event{
		"no type":               {JSON: []byte(`1`)},
		"no payload":            {Type: lane},
		"two payloads":          {Type: lane, JSON: []byte(`1`), Bytes: []byte{1}},
		"a byte too much":       {Type: lane, Bytes: tooLong},
		"invalid JSON":          {Type: lane, JSON: []byte(`{`)},
		"JSON with a NUL byte":  {Type: lane, JSON: []byte("\"\x00\"")},
		"JSON of invalid UTF-8": {Type: lane, JSON: []byte("\"\xff\"")},
		"a NUL byte":            {Type: lane, AggregateID: "a\x00b", JSON: []byte(`1`)},
		"invalid UTF-8":         {Type: lane, TenantID: "\xff", JSON: []byte(`1`)},
		"a header of bytes":     {Type: lane, Headers: map[string]string{"h": "\xff"}, JSON: []byte(`1`)},
		"a space in the id":     {Type: lane, ID: "a b", JSON: []byte(`1`)},
	}
	k.inTx(func(tx Tx) error {
		for name, e := range bad {
			if _, err := k.w.WriteAll(k.ctx, tx, []outbox.Event{event(lane), e}...); !errors.Is(err, outbox.ErrInvalidEvent) {
				k.Errorf("%s: error %v, expected ErrInvalidEvent", name, err)
			}
		}
		_, err := k.w.Write(k.ctx, tx, event(lane))
		return err
	})
	k.claimOne(driver.NewOwner("a"), long)
}
