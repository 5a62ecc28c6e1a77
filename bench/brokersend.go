package main

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// drainNull is the same relay with the null listener.
func drainNull(events int) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		n := e.events(events)
		if err := e.fresh(ctx, n); err != nil {
			return sample{}, err
		}
		return e.drain(ctx, onPgx, defaultSchema, tuned(), n)
	}
}

// sendOurs measures a relay that finds waiting events and sends them, until the
// last one is settled.
func sendOurs(kind brokerKind, cfg relay.Config, events int) runFunc {
	return func(ctx context.Context, e *env) (s sample, err error) {
		err = kind.use(ctx, func(b broker, to string) error {
			n := e.events(events)
			if err := e.fresh(ctx, n); err != nil {
				return err
			}
			s, err = e.send(ctx, b, to, cfg, n)
			return err
		})
		return s, err
	}
}

func (e *env) send(ctx context.Context, b broker, to string, cfg relay.Config, n int) (s sample, err error) {
	store, closeStore, err := openPgx(ctx, e.url, defaultSchema)
	if err != nil {
		return s, err
	}
	defer closeStore()
	log := &logCount{}
	cfg.Logger = log.logger()
	sink, err := b.sink(cfg.Logger)
	if err != nil {
		return s, err
	}
	reg := outbox.NewRegistry()
	reg.Route(eventType, sink, outbox.To(to))
	before := e.cpu.now()
	took, err := drainTo(ctx, store, reg, cfg, n)
	cost := sample{Values: map[metric]float64{}}
	e.cpu.since(before, &cost, n) // without the reading back
	if err := errors.Join(err, sink.Close()); err != nil {
		return s, err
	}
	events, err := audit(ctx, b, to, n)
	if err != nil {
		return s, err
	}
	s = drained(events, took, log)
	for m, v := range cost.Values {
		s.Values[m] = v
	}
	return s, e.settled(ctx, defaultSchema)
}

// rawHands is how many batches the bare client has on its way, as many as a
// relay with default settings.
const rawHands = 4

// sendRaw measures the client alone: the same messages, made before the clock
// runs, and no database.
func sendRaw(kind brokerKind, events int) func(batch int) runFunc {
	return func(batch int) runFunc {
		return func(ctx context.Context, e *env) (s sample, err error) {
			n := e.events(events)
			err = kind.use(ctx, func(b broker, to string) error {
				ms, err := sameMessages(ctx, to, n)
				if err != nil {
					return err
				}
				raw := b.sender(ms)
				before := e.cpu.now()
				took, err := sendAll(ctx, raw, n, batch)
				cost := sample{Values: map[metric]float64{}}
				e.cpu.since(before, &cost, n)
				raw.close()
				if err != nil {
					return err
				}
				arrived, err := audit(ctx, b, to, n)
				if err != nil {
					return err
				}
				s = drained(arrived, took, &logCount{})
				if v, ok := cost.Values[processCPU]; ok {
					s.Values[processCPU] = v
				}
				return nil
			})
			return s, err
		}
	}
}

// sendAll connects and sends, a batch after the other in each hand.
func sendAll(ctx context.Context, raw sender, n, batch int) (time.Duration, error) {
	start := time.Now()
	if err := raw.connect(ctx, rawHands); err != nil {
		return 0, err
	}
	_, err := inHands(ctx, rawHands, n, batch, raw.send)
	return time.Since(start), err
}

// sameMessages are those that a relay would send: a route makes them.
func sameMessages(ctx context.Context, to string, n int) ([]outbox.Message, error) {
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = orderPlaced(i)
		es[i].ID, es[i].OccurredAt = outbox.NewID(), time.Now()
	}
	var kept keeper
	reg := outbox.NewRegistry()
	reg.Route(eventType, &kept, outbox.To(to))
	err := errors.Join(driver.DestinationOf(reg.Lookup("Order", eventType)).Deliver(ctx, es)...)
	return kept.ms, err
}

// keeper is a sink that keeps what it is given.
type keeper struct{ ms []outbox.Message }

// Send implements [outbox.Sink].
func (k *keeper) Send(_ context.Context, batch []outbox.Message) []error {
	k.ms = batch
	return nil
}
