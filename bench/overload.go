package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// The listener can take 2,000 events each second, with the four workers of an
// untouched relay, and gets twice as many: the hot path fills up, and the rest is
// left to the cold one.
const (
	overloadEvents = 100_000
	overloadGroup  = 10 // events in one transaction
	overloadRate   = 400
	overloadWork   = 2 * time.Millisecond
	// overloadLimit is what an event may wait: a little more than the 50 s that
	// the listener needs for all of them. An event that is left behind waits
	// longer.
	overloadLimit = time.Minute
)

func overload() scenario {
	return scenario{
		name:     "overload",
		what:     "100,000 events, 4,000 each second, to a listener that can take 2,000: commit to listener",
		variants: []variant{{nameDefault, overloadOurs}},
		judge: func(r results) []row {
			return []row{
				noMore("twice the listener's capacity, maximum", r.figure(nameDefault, longest), milliseconds(overloadLimit)),
				alone("twice the listener's capacity, p50", r.figure(nameDefault, p50)),
				alone("twice the listener's capacity, p99", r.figure(nameDefault, p99)),
				alone("twice the listener's capacity, rate", r.figure(nameDefault, rate)),
				alone("twice the listener's capacity, backlog when the writers stop", r.figure(nameDefault, backlog)),
			}
		},
	}
}

func overloadOurs(ctx context.Context, e *env) (sample, error) {
	store, closeStore, err := e.ordersPgx(ctx)
	if err != nil {
		return sample{}, err
	}
	defer closeStore()
	n := e.events(overloadEvents) / overloadGroup * overloadGroup
	events, at, line, log := newLedger(n), newStamps(n), newFinishLine(n), &logCount{}
	cfg := untouched()
	cfg.Logger, cfg.Hooks.Settled = log.logger(), line.settled
	reg := outbox.NewRegistry()
	reg.Handle(eventType, func(_ context.Context, e outbox.Event) error {
		n := number(e.JSON)
		at.arrive(n)
		events.got(n)
		time.Sleep(overloadWork)
		return nil
	})
	r, err := relay.New(store, reg, cfg)
	if err != nil {
		return sample{}, err
	}
	defer background(ctx, r)()
	start := time.Now()
	if err := pace(ctx, n/overloadGroup, overloadRate, placeGroup(store, r, at)); err != nil {
		return sample{}, err
	}
	left := n - line.count()
	if err := line.wait(ctx); err != nil {
		return sample{}, err
	}
	s := newSample(events, n)
	at.latencies(&s)
	s.Values[rate], s.Values[backlog], s.Note = perSecond(n, line.since(start)), float64(left), log.String()
	return s, nil
}

// placeGroup writes group g of events in one transaction. Its commit is that of
// all of them.
func placeGroup(store outbox.TxStore[pgx.Tx], r *relay.Relay, at *stamps) placer {
	w := outbox.NewWriter(stamping[pgx.Tx]{store, at}, r.HotPath())
	return func(ctx context.Context, g int) error {
		es := make([]outbox.Event, overloadGroup)
		first := g * overloadGroup
		for i := range es {
			es[i] = orderPlaced(first + i)
		}
		err := w.InTx(withNumber(ctx, first), func(ctx context.Context, tx pgx.Tx) error {
			_, err := w.WriteAll(ctx, tx, es...)
			return err
		})
		for i := first + 1; i < first+overloadGroup; i++ {
			at.committed[i].Store(at.committed[first].Load())
		}
		return err
	}
}
