package demo

import (
	"context"
	"sync"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/tally"
	"github.com/sendoff-go/outbox/driver"
)

// books has a ledger for each event type, kept by its receivers.
type books struct {
	ledgers map[string]*tally.Ledger

	mu      sync.Mutex
	refused map[string]refusal // by event id
	repeats map[string]*repeat // by event id: received again after they were handled
	asked   map[string]int     // by event id: how often people asked for it again
	changed chan struct{}      // signals a repeat
}

// place is an event in the books.
type place struct {
	lane   string
	number int
}

// refusal is an event that was refused for good, and how many times.
type refusal struct {
	place
	times int
}

// repeat is an event that was handled more than once.
type repeat struct {
	ledger       *tally.Ledger
	times, asked int // how often, and how often on request
}

func newBooks() *books {
	b := &books{
		ledgers: map[string]*tally.Ledger{}, refused: map[string]refusal{}, repeats: map[string]*repeat{}, asked: map[string]int{},
		changed: make(chan struct{}, 1),
	}
	for _, name := range types {
		b.ledgers[name] = tally.NewLedger()
	}
	return b
}

// registry returns listeners for all event types except invoices, which go to a
// sink. reserve is what the warehouse does with a new order.
func (b *books) registry(to *accounting, reserve func(ctx context.Context, e outbox.Event) error) *outbox.Registry {
	reg := outbox.NewRegistry()
	listen(b, reg, orderPlaced, func(ctx context.Context, e outbox.Event, _ order, _ int) error { return reserve(ctx, e) })
	listen(b, reg, orderPaid, func(_ context.Context, _ outbox.Event, o order, run int) error { return pay(o, run) })
	listen(b, reg, orderShipped, func(_ context.Context, _ outbox.Event, o order, _ int) error { return ship(o) })
	listen(b, reg, mailRequested, func(_ context.Context, _ outbox.Event, m mail, _ int) error { return send(m) })
	reg.Route(invoiceRequested.Type(), to, outbox.To("invoices"))
	return reg
}

// listen registers a listener whose runs are noted in the books.
func listen[T any](b *books, reg *outbox.Registry, d outbox.Definition[T], handle func(ctx context.Context, e outbox.Event, v T, run int) error) {
	d.Handle(reg, func(ctx context.Context, e outbox.Event, v T) error {
		delivery, _ := outbox.DeliveryFrom(ctx)
		return b.receive(e, delivery, func(run int) error { return handle(ctx, e, v, run) })
	})
}

// receive notes a run of an event. It identifies the event by its aggregate, since a
// person may have changed the payload.
func (b *books) receive(e outbox.Event, delivery outbox.Delivery, handle func(run int) error) error {
	ledger, n := b.ledgers[e.Type], numberOf(e)
	err := handle(ledger.Begin(n, delivery.Hot))
	switch {
	case err == nil:
		if !ledger.Done(n) {
			b.again(e, ledger)
		}
	case outbox.IsPermanent(err), e.Type == mailRequested.Type() && delivery.Attempt >= mailAttempts:
		ledger.GaveUp(n)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.refused[e.ID] = refusal{place{e.Type, n}, b.refused[e.ID].times + 1}
	}
	return err
}

// again notes an event that was handled before. A copy counts as a repeat of its
// original.
func (b *books) again(e outbox.Event, ledger *tally.Ledger) {
	id := e.ID
	if of := e.Headers[driver.ReplayOf]; of != "" {
		id = of
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.repeats[id] == nil {
		b.repeats[id] = &repeat{ledger: ledger}
	}
	b.repeats[id].times++
	b.excuse(id)
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// ask notes that a person wants events to be delivered again.
func (b *books) ask(ids []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		b.asked[id]++
		b.excuse(id)
	}
}

// excuse moves repeats that people asked for out of the duplicates. Retrying a dead
// letter does not ask for a second delivery. The caller holds the lock.
func (b *books) excuse(id string) {
	r := b.repeats[id]
	if r == nil {
		return
	}
	if more := min(r.times, b.asked[id]-b.refused[id].times) - r.asked; more > 0 {
		r.asked += more
		r.ledger.Asked(more)
	}
}

// refusedAt finds an event that was refused for good.
func (b *books) refusedAt(id string) (place, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, found := b.refused[id]
	return r.place, found
}

// missing reports whether an event was committed and nobody has handled it.
func (b *books) missing(p place) bool {
	l := b.ledgers[p.lane]
	return l != nil && l.IsCommitted(p.number) && !l.Delivered(p.number)
}

// commits notes what writers commit.
func (b *books) commits() func([]outbox.Event) {
	return tally.Commits(func(e outbox.Event) (*tally.Ledger, int) { return b.ledgers[e.Type], numberOf(e) })
}

// counts returns the sum of all event types except some.
func (b *books) counts(without map[string]bool) tally.Counts {
	var sum tally.Counts
	for name, l := range b.ledgers {
		if !without[name] {
			sum = sum.Add(l.Counts())
		}
	}
	return sum
}
