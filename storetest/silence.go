package storetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func silenceLaws[Tx any]() []Law[Tx] {
	hasSilence := func(s Subject[Tx]) bool { return s.Silent != nil }
	return []Law[Tx]{
		{
			Name:    "calls to a database that falls silent end with their deadlines",
			Why:     "a relay that waits for an answer that never comes does nothing else, and cannot shut down",
			Applies: hasSilence,
			Check: check(func(k *kit[Tx]) {
				k.fallsSilent(func(ctx context.Context, c call[Tx], s Store[Tx]) error {
					ctx, cancel := context.WithTimeout(ctx, hurried)
					defer cancel()
					if err := c.do(ctx, s); !errors.Is(err, context.DeadlineExceeded) {
						return fmt.Errorf("%s: error %v, expected that it took too long", c.name, err) //nolint:errorlint // it may be nil
					}
					return nil
				})
			}),
		},
		{
			Name:    "without deadlines, calls to a database that falls silent report an outage",
			Why:     "most calls of a relay have no deadline: no outage would end them, and nobody would be told",
			Applies: hasSilence,
			Check: check(func(k *kit[Tx]) {
				k.fallsSilent(func(ctx context.Context, c call[Tx], s Store[Tx]) error {
					if c.name == writing {
						return nil
					}
					ctx, cancel := context.WithTimeout(ctx, patience) // longer than any limit of its own
					defer cancel()
					if err := c.do(ctx, s); !errors.Is(err, outbox.ErrStoreDown) || !errors.Is(err, context.DeadlineExceeded) {
						return fmt.Errorf("%s: error %v, expected ErrStoreDown, and that it took too long", c.name, err) //nolint:errorlint // it may be nil
					}
					return nil
				})
			}),
		},
	}
}

// fallsSilent makes calls to a database that has answered before, and expects it
// to be used again once it answers.
func (k *kit[Tx]) fallsSilent(send func(ctx context.Context, c call[Tx], s Store[Tx]) error) {
	k.Helper()
	s, silence := k.Silent(k)
	answered := func(when string, c call[Tx]) {
		k.Helper()
		k.eventually(c.name+" is answered", func() bool {
			err := c.do(k.ctx, s)
			if err != nil && !errors.Is(err, outbox.ErrStoreDown) && !errors.Is(err, outbox.ErrCommitUnknown) {
				k.Fatalf("%s, %s: %v", c.name, when, err)
			}
			return err == nil
		})
	}
	for _, c := range coreCalls[Tx]() {
		answered("before", c)
	}
	speak := silence()
	eachAtOnce(k, coreCalls[Tx](), func(c call[Tx]) error { return send(k.ctx, c, s) })
	speak()
	for _, c := range coreCalls[Tx]() {
		answered("afterwards", c)
	}
	k.deliversOne(s)
}

// deliversOne writes, claims and settles an event, on a client that may run into
// its limits.
func (k *kit[Tx]) deliversOne(s Store[Tx]) {
	k.Helper()
	const own = "OrderAfterwards"
	w, a := outbox.NewWriter[Tx](s), driver.NewOwner("b")
	k.eventually("an event is written", func() bool {
		return w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
			_, err := w.Write(ctx, tx, event(own))
			return err
		}) == nil
	})
	var cs []driver.Claimed
	k.eventually("it is claimed", func() bool {
		var err error
		cs, err = s.Claim(k.ctx, driver.ClaimRequest{Owner: a, Lease: brief, Wants: wants(own)})
		return err == nil && len(cs) > 0
	})
	k.eventually("it is settled", func() bool {
		_, err := s.Settle(k.ctx, a, []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}}, true)
		return err == nil
	})
}
