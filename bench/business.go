package main

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// The application writes as fast as it can.
const (
	businessWriters = 8
	businessTime    = time.Minute
	// sweptAfter is short enough for the sweeper to have as much to delete as
	// the writers write, for two thirds of the time.
	sweptAfter = businessTime / 3
)

const (
	namePlain   = "plain INSERT"
	nameKept    = "ours, rows kept"
	nameSwept   = "ours, rows kept and swept"
	nameDeleted = "ours, rows deleted"
)

func business() scenario {
	return scenario{
		name: "business",
		what: "transactions of one business row and one event, 8 writers, 60 s, until all is delivered and settled",
		variants: []variant{
			{namePlain, placePlain},
			{nameDeleted, placeOurs(func(*env) relay.Config { return deleting(untouched()) })},
			{nameKept, placeOurs(func(*env) relay.Config { return untouched() })},
			{nameSwept, placeOurs(func(e *env) relay.Config {
				c := untouched()
				c.Retention = e.duration(sweptAfter)
				return c
			})},
		},
		judge: func(r results) []row {
			plain := r.figure(namePlain, rate)
			return []row{
				atLeast("business transactions, rows deleted, against a plain INSERT", r.figure(nameDeleted, rate), plain, 0.75),
				atLeast("business transactions, rows kept, against a plain INSERT", r.figure(nameKept, rate), plain, 0.65),
				atLeast("business transactions, rows kept and swept, against a plain INSERT", r.figure(nameSwept, rate), plain, 0.65),
				alone("business transactions, backlog when the writers stop", r.figure(nameKept, backlog)),
			}
		},
	}
}

// plainTable is the least that a row of the event's size costs: the same
// columns that the event fills, and a key.
const (
	plainTable = `CREATE TABLE IF NOT EXISTS plain (
		id varchar(36) COLLATE "C" PRIMARY KEY, type varchar(128) NOT NULL, aggregate_type varchar(64), aggregate_id varchar(128),
		payload json, occurred_at timestamptz, created_at timestamptz NOT NULL DEFAULT clock_timestamp())`
	insertPlain = "INSERT INTO plain (id, type, aggregate_type, aggregate_id, payload, occurred_at) VALUES ($1, $2, $3, $4, $5, $6)"
)

// placePlain measures the same transactions without an event: a second plain
// INSERT stands in its place.
func placePlain(ctx context.Context, e *env) (sample, error) {
	if err := e.exec(ctx, ordersTable, plainTable, "TRUNCATE orders, plain"); err != nil {
		return sample{}, err
	}
	if err := e.rest(ctx, "orders", "plain"); err != nil {
		return sample{}, err
	}
	pool, err := e.businessPool(ctx)
	if err != nil {
		return sample{}, err
	}
	defer pool.Close()
	before := e.cpu.now()
	n, took, err := hurry(ctx, businessWriters, e.duration(businessTime), func(ctx context.Context, n int) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, insertOrder, "customer", n); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, insertPlain, outbox.NewID(), eventType, "Order", aggregate(n), payload(n), time.Now())
			return err
		})
	})
	if err != nil {
		return sample{}, err
	}
	s := sample{Values: map[metric]float64{rate: perSecond(n, took)}}
	e.cpu.since(before, &s, n)
	return s, nil
}

// businessPool has a connection for each writer.
func (e *env) businessPool(ctx context.Context) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(e.url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = businessWriters
	return pgxpool.NewWithConfig(ctx, config)
}

// placeOurs measures transactions with an event, from the first until the last
// event is settled, so that a backlog counts against it.
func placeOurs(config func(*env) relay.Config) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		if err := e.freshOrders(ctx); err != nil {
			return sample{}, err
		}
		if err := e.rest(ctx, "orders"); err != nil {
			return sample{}, err
		}
		pool, err := e.businessPool(ctx)
		if err != nil {
			return sample{}, err
		}
		defer pool.Close()
		store, err := pgxstore.New(pool, pgxstore.Config{})
		if err != nil {
			return sample{}, err
		}
		defer store.Close()
		before := e.cpu.now()
		s, n, err := runBusiness(ctx, store, config(e), e.duration(businessTime), func(r *relay.Relay) placer {
			return placePgx(outbox.NewWriter(store, r.HotPath()))
		})
		if err != nil {
			return sample{}, err
		}
		e.cpu.since(before, &s, n)
		return s, nil
	}
}

// runBusiness runs a relay with writers that never pause, and also returns how
// many transactions there were.
func runBusiness(ctx context.Context, store driver.Store, cfg relay.Config, d time.Duration, writer func(*relay.Relay) placer) (s sample, n int, err error) {
	events, line, log := newLedger(maxEvents), newFinishLine(-1), &logCount{}
	cfg.Logger, cfg.Hooks.Settled = log.logger(), line.settled
	reg := outbox.NewRegistry()
	reg.Handle(eventType, counting(events))
	r, err := relay.New(store, reg, cfg)
	if err != nil {
		return sample{}, 0, err
	}
	defer background(ctx, r)()
	start := time.Now()
	n, _, err = hurry(ctx, businessWriters, d, writer(r))
	if err != nil {
		return sample{}, 0, err
	}
	left := n - line.count()
	line.end(n)
	ctx, cancel := context.WithTimeoutCause(ctx, drainLimit, errors.New("the backlog did not go away"))
	defer cancel()
	if err := line.wait(ctx); err != nil {
		return sample{}, 0, err
	}
	s = newSample(events, n)
	s.Values[rate], s.Values[backlog] = perSecond(n, line.since(start)), float64(left)
	s.Note = log.String()
	return s, n, nil
}

// maxEvents bounds the ledger where the number of events is not known before.
const maxEvents = 5_000_000

// drainLimit is how long a backlog may take to go once the writers have
// stopped; the clock goes on meanwhile.
const drainLimit = 30 * time.Second
