package main

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx" of database/sql

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// untouched is the configuration of somebody who configured nothing.
func untouched() relay.Config { return relay.Config{} }

// tuned is for throughput: large batches, and room for several of them.
func tuned() relay.Config {
	return relay.Config{
		Lane:         relay.LaneConfig{Workers: 4, Batch: 2000, ColdQueue: 8000},
		SettleBatch:  2000,
		MaxUnsettled: 20_000,
	}
}

// deleting is a configuration with rows deleted at settle.
func deleting(c relay.Config) relay.Config {
	c.Retention = relay.DeleteAtSettle
	return c
}

// opener opens a store on tables in a schema, with the connections that it
// needs.
type opener func(ctx context.Context, url, schema string) (store outbox.Store, closeStore func(), err error)

// onPgx and onSQL are the two that there are.
func onPgx(ctx context.Context, url, schema string) (outbox.Store, func(), error) {
	return openPgx(ctx, url, schema)
}

func onSQL(_ context.Context, url, schema string) (outbox.Store, func(), error) {
	return openSQL(url, schema)
}

// openPgx opens a pgxstore.
func openPgx(ctx context.Context, url, schema string) (*pgxstore.Store, func(), error) {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return nil, nil, err
	}
	store, err := pgxstore.NewWith(pool, pgxstore.Config{Tables: pgstore.Tables{Schema: schema}})
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
	store, err := pgstore.NewWith(db, pgstore.Config{Tables: pgstore.Tables{Schema: schema}})
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
func drainOurs(open opener, cfg relay.Config) func(context.Context, *env) (sample, error) {
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
	took, err := drainStore(ctx, store, cfg, events)
	if err != nil {
		return sample{}, err
	}
	return e.drained(ctx, schema, events, took, log)
}

// drained makes the sample of a drain, and checks that the table agrees.
func (e *env) drained(ctx context.Context, schema string, events *ledger, took time.Duration, log *logCount) (sample, error) {
	s := newSample(events, events.len())
	s.Values[rate] = perSecond(events.len(), took)
	s.Note = log.String()
	left, err := e.pending(ctx, schema)
	if left > 0 {
		s.Note = join(s.Note, "rows still pending: "+thousands(float64(left)))
	}
	return s, err
}

// drainStore runs a relay from its start until the last event is settled.
func drainStore(ctx context.Context, store outbox.Store, cfg relay.Config, events *ledger) (time.Duration, error) {
	line := newFinishLine(events.len())
	cfg.Hooks.Settled = line.settled
	reg := outbox.NewRegistry()
	reg.Handle(eventType, counting(events))
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

// counting is the null listener: it counts, and that is all.
func counting(events *ledger) outbox.ListenerFunc {
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
		_ = r.Run(ctx) // it returns nil after a shutdown, which is its only end
	}()
	return func() { cancel(); <-ended }
}
