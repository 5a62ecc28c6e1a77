package storetest

import (
	"context"
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func consumerLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{{
		Name:    "consumer groups are listed with what they have recorded",
		Why:     "somebody who asks whether a consumer is alive must see its last event",
		Check:   check(consumersAreListed[Tx]),
		Applies: func(s Subject[Tx]) bool { _, ok := s.Store.(driver.Ledger[Tx]); return ok },
	}}
}

// consume records n events of a group.
func (k *kit[Tx]) consume(group string, n int) {
	k.Helper()
	k.inTx(func(tx Tx) error {
		ids := make([]string, n)
		for i := range ids {
			ids[i] = outbox.NewID()
		}
		_, err := k.Store.(driver.Ledger[Tx]).Record(k.ctx, tx, group, ids)
		return err
	})
}

func consumersAreListed[Tx any](k *kit[Tx]) {
	consumers := k.Store.(driver.ConsumerStore)
	if gs, err := consumers.ConsumerGroups(k.ctx, "", 10); err != nil || len(gs) != 0 {
		k.Fatalf("%+v, error %v, expected none", gs, err)
	}
	for i, group := range []string{"mail", "Billing", "billing", "a-b"} {
		k.consume(group, i+1)
	}
	var seen []string
	for after := ""; ; {
		gs, err := consumers.ConsumerGroups(k.ctx, after, 3)
		k.must(err)
		if len(gs) > 3 {
			k.Fatalf("listed %d, asked for 3", len(gs))
		}
		for _, g := range gs {
			if g.LastAt.IsZero() || g.Recorded.More {
				k.Errorf("%+v", g)
			}
			seen = append(seen, fmt.Sprint(g.Name, " ", g.Recorded.N))
			after = g.Name
		}
		if len(gs) < 3 {
			break
		}
	}
	if want := []string{"Billing 2", "a-b 4", "billing 3", "mail 1"}; !slices.Equal(seen, want) {
		k.Errorf("listed %q, expected %q", seen, want)
	}
}

// consumerCalls are the methods of [driver.ConsumerStore].
func consumerCalls[Tx any]() []call[Tx] {
	return []call[Tx]{{"ConsumerGroups", func(ctx context.Context, s Store[Tx]) error {
		return second(s.(driver.ConsumerStore).ConsumerGroups(ctx, "", 10))
	}}}
}
