package main

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx" of database/sql

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// untouched is the default configuration.
func untouched() relay.Config { return relay.Config{} }

// tuned is for throughput: large batches, and room for several of them.
func tuned() relay.Config {
	return relay.Config{
		Lane:         relay.LaneConfig{Workers: 4, Batch: 1000, ColdQueue: 4000},
		SettleBatch:  1000,
		MaxUnsettled: 20_000,
	}
}

// deleting is a configuration with rows deleted at settle.
func deleting(c relay.Config) relay.Config {
	c.Delivered = relay.DeleteAtSettle
	return c
}

// opener opens a store on tables in a schema, with the connections that it
// needs.
type opener func(ctx context.Context, url, schema string) (store driver.Store, closeStore func(), err error)

// onPgx and onSQL are the two that there are.
func onPgx(ctx context.Context, url, schema string) (driver.Store, func(), error) {
	return openPgx(ctx, url, schema)
}

func onSQL(_ context.Context, url, schema string) (driver.Store, func(), error) {
	return openSQL(url, schema)
}

// openPgx opens a pgxstore.
func openPgx(ctx context.Context, url, schema string) (*pgxstore.Store, func(), error) {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return nil, nil, err
	}
	store, err := pgxstore.New(pool, pgxstore.Config{Tables: pgstore.Tables{Schema: schema}})
	if err != nil {
		return nil, nil, err
	}
	return store, func() { store.Close(); pool.Close() }, nil
}

// openSQL opens a pgstore on database/sql.
func openSQL(url, schema string) (*sqlstore.Store, func(), error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return nil, nil, err
	}
	keepConnections(db)
	store, err := pgstore.New(db, pgstore.Config{Tables: pgstore.Tables{Schema: schema}})
	if err != nil {
		return nil, nil, err
	}
	return store, func() { _ = db.Close() }, nil
}

// keepConnections lifts the two idle connections that database/sql keeps, which
// would open and close connections all the time under this load.
func keepConnections(db *sql.DB) {
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(16)
}

// drainOurs measures a relay that finds n waiting events.
func drainOurs(open opener, cfg relay.Config) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		n := e.events(drainEvents)
		if err := e.fresh(ctx, n); err != nil {
			return sample{}, err
		}
		return e.drain(ctx, open, defaultSchema, cfg, n)
	}
}

// drain runs one relay on prepared tables until all n events are settled.
func (e *env) drain(ctx context.Context, open opener, schema string, cfg relay.Config, n int) (sample, error) {
	store, closeStore, err := open(ctx, e.url, schema)
	if err != nil {
		return sample{}, err
	}
	defer closeStore()
	events, log := newLedger(n), &logCount{}
	cfg.Logger = log.logger()
	before := e.cpu.now()
	took, err := drainStore(ctx, store, cfg, events)
	if err != nil {
		return sample{}, err
	}
	s := drained(events, took, log)
	e.cpu.since(before, &s, n)
	return s, e.settled(ctx, schema)
}

// drained makes the sample of a drain.
func drained(events *ledger, took time.Duration, log *logCount) sample {
	s := newSample(events, events.len())
	s.Values[rate], s.Note = perSecond(events.len(), took), log.String()
	return s
}

// settled fails unless all rows of the table are done.
func (e *env) settled(ctx context.Context, schema string) error {
	left, err := e.pending(ctx, schema)
	if left > 0 {
		err = fmt.Errorf("%d rows are still pending though all were settled", left)
	}
	return err
}

// drainStore runs a relay with the null listener.
func drainStore(ctx context.Context, store driver.Store, cfg relay.Config, events *ledger) (time.Duration, error) {
	reg := outbox.NewRegistry()
	reg.Handle(eventType, counting(events))
	return drainTo(ctx, store, reg, cfg, events.len())
}

// drainTo runs a relay from its start until the last of n events is settled.
func drainTo(ctx context.Context, store driver.Store, reg *outbox.Registry, cfg relay.Config, n int) (time.Duration, error) {
	line := newFinishLine(n)
	cfg.Hooks.Settled = line.settled
	r, err := relay.New(store, reg, cfg)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	stop := background(ctx, r)
	err = line.wait(ctx)
	stop()
	return line.since(start), err
}

// counting is the null listener: it only counts.
func counting(events *ledger) outbox.Listener {
	return func(_ context.Context, e outbox.Event) error {
		events.got(number(e.JSON))
		return nil
	}
}

// background runs a relay until stop is called, which returns when it has
// ended.
func background(ctx context.Context, r *relay.Relay) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.Run(ctx) // it ends only by a shutdown, and returns nil
	}()
	return func() { cancel(); <-ended }
}
