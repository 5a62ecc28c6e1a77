package storetest

import (
	"context"
	"errors"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func faultLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:    "a database that cannot be reached is reported as down",
			Why:     "a relay waits for it and goes on; it must report any other error",
			Applies: func(s Subject[Tx]) bool { return s.Down != nil },
			Check: check(func(k *kit[Tx]) {
				k.everyCallFails(k.Down(k.TB), outbox.ErrStoreDown, outbox.ErrSchema)
			}),
		},
		{
			Name:    "missing tables are reported as a schema error",
			Why:     "the error must tell a user who forgot to migrate",
			Applies: func(s Subject[Tx]) bool { return s.NoSchema != nil },
			Check: check(func(k *kit[Tx]) {
				k.everyCallFails(k.NoSchema(k.TB), outbox.ErrSchema, outbox.ErrStoreDown)
			}),
		},
		{
			Name:  "a call whose context has ended fails and leaves the store usable",
			Why:   "shutdowns and deadlines end calls, and must not poison connections",
			Check: check(endedContext[Tx]),
		},
		{
			Name:  "a known commit error stays what it is",
			Why:   "callers ask for their driver's own errors",
			Check: check(commitErrors[Tx]),
		},
	}
}

// call is one method of a store, asked for something harmless.
type call[Tx any] struct {
	name string
	do   func(ctx context.Context, s Store[Tx]) error
}

// calls are those of every store, and those of the powers that this one has.
func calls[Tx any](s Store[Tx]) []call[Tx] {
	return slices.Concat(coreCalls[Tx](), letterCalls(s), otherCalls(s))
}

func coreCalls[Tx any]() []call[Tx] {
	owner := driver.NewOwner("a")
	held := []driver.Held{{EventID: "x", Seq: 1, ClaimNo: 1}}
	return []call[Tx]{
		{"Claim", func(ctx context.Context, s Store[Tx]) error {
			_, err := s.Claim(ctx, driver.ClaimRequest{Owner: owner, Lease: long, Wants: wants(lane)})
			return err
		}},
		{"Take", func(ctx context.Context, s Store[Tx]) error {
			_, err := s.Take(ctx, owner, long, []driver.Held{{EventID: "x", Seq: 1}})
			return err
		}},
		{"Renew", func(ctx context.Context, s Store[Tx]) error {
			_, err := s.Renew(ctx, owner, long, []driver.Renewal{{Held: held[0]}})
			return err
		}},
		{"Settle", func(ctx context.Context, s Store[Tx]) error {
			_, err := s.Settle(ctx, owner, outcomesOf(held[0])[:1], true)
			return err
		}},
		{"Confirm", func(ctx context.Context, s Store[Tx]) error { _, err := s.Confirm(ctx, held); return err }},
		{"Lanes", func(ctx context.Context, s Store[Tx]) error { _, err := s.Lanes(ctx, "", 10); return err }},
		{"Sweep", func(ctx context.Context, s Store[Tx]) error { _, err := s.Sweep(ctx, long, 10); return err }},
		{writing, func(ctx context.Context, s Store[Tx]) error {
			w := outbox.NewWriter[Tx](s)
			return w.InTx(ctx, func(ctx context.Context, tx Tx) error {
				_, err := w.Write(ctx, tx, event(lane))
				return err
			})
		}},
	}
}

// everyCallFails expects one error and not the other, which a relay takes in
// another way.
func (k *kit[Tx]) everyCallFails(s Store[Tx], want, never error) {
	k.Helper()
	for _, c := range calls(s) {
		ctx, cancel := context.WithTimeout(k.ctx, patience)
		if err := c.do(ctx, s); !errors.Is(err, want) || errors.Is(err, never) {
			k.Errorf("%s: error %v, expected %q, and not %q", c.name, err, want, never)
		}
		cancel()
	}
}

func endedContext[Tx any](k *kit[Tx]) {
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	for range 3 {
		for _, c := range calls(k.Store) {
			if err := c.do(ctx, k.Store); !errors.Is(err, context.Canceled) {
				k.Errorf("%s: error %v, expected context.Canceled", c.name, err)
			}
		}
	}
	k.nothingStored()
	for _, c := range calls(k.Store) {
		if err := c.do(k.ctx, k.Store); err != nil && c.name != "ExpireWritten" {
			k.Errorf("%s, afterwards: %v", c.name, err)
		}
	}
}

func commitErrors[Tx any](k *kit[Tx]) {
	if err := k.Store.CommitError(errUndo); !errors.Is(err, errUndo) {
		k.Errorf("CommitError made %v of an error that it does not know", err)
	}
	unknown := errors.Join(outbox.ErrCommitUnknown, errUndo)
	if err := k.Store.CommitError(unknown); !errors.Is(err, outbox.ErrCommitUnknown) || !errors.Is(err, errUndo) {
		k.Errorf("CommitError made %v of an unknown outcome", err)
	}
}
