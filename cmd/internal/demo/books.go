package demo

import (
	"context"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/tally"
)

// books are the ledgers of all lanes, kept by the listeners.
type books struct {
	ledgers map[string]*tally.Ledger
}

func newBooks() *books {
	b := &books{ledgers: map[string]*tally.Ledger{}}
	for _, d := range definitions {
		b.ledgers[d.Type()] = tally.NewLedger()
	}
	return b
}

// registry has a listener for every lane.
func (b *books) registry() *outbox.Registry {
	reg := outbox.NewRegistry()
	for _, d := range definitions {
		d.Handle(reg, func(ctx context.Context, e outbox.Event, o order) error {
			return b.receive(ctx, e.Type, o)
		})
	}
	return reg
}

func (b *books) receive(ctx context.Context, lane string, o order) error {
	ledger := b.ledgers[lane]
	delivery, _ := outbox.DeliveryFrom(ctx)
	run := ledger.Begin(o.Number, delivery.Hot)
	err := answer(lane, o.Number, run)
	switch {
	case err == nil:
		ledger.Done(o.Number)
	case outbox.IsPermanent(err) && run == 1:
		ledger.GaveUp()
	}
	return err
}

// commits notes what writers commit.
func (b *books) commits() func([]outbox.Event) {
	return tally.Commits(func(e outbox.Event) (*tally.Ledger, int) { return b.ledgers[e.Type], numberOf(e) })
}

// counts is the sum of all lanes.
func (b *books) counts() tally.Counts {
	var sum tally.Counts
	for _, l := range b.ledgers {
		sum = sum.Add(l.Counts())
	}
	return sum
}
