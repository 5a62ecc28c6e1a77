package main

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5"
	peer "github.com/oagudo/outbox"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// The hot path is measured at a rate that leaves the machine idle most of the
// time: latency, not queueing.
const (
	pacedEvents = 10_000
	pacedRate   = 300
)

func hotPath() scenario {
	return scenario{
		name: "hot",
		what: "hot path: 10,000 transactions of one business row and one event, 300 each second; commit to listener",
		variants: []variant{
			{nameOurs, hotPgx}, {nameSQL, hotSQL}, {nameOagudo, hotOagudo},
		},
		judge: func(r results) []row {
			return []row{
				atMost("hot path, p50, against oagudo", r.figure(nameOurs, p50), r.figure(nameOagudo, p50), 1.1),
				atMost("hot path, p99, against oagudo", r.figure(nameOurs, p99), r.figure(nameOagudo, p99), 2),
				compared("hot path, maximum, beside oagudo", r.figure(nameOurs, longest), r.figure(nameOagudo, longest)),
				compared("hot path, p50, database/sql against pgx", r.figure(nameSQL, p50), r.figure(nameOurs, p50)),
				compared("hot path, p99, database/sql against pgx", r.figure(nameSQL, p99), r.figure(nameOurs, p99)),
			}
		},
	}
}

// hotPgx measures ours, untouched, through pgx.
func hotPgx(ctx context.Context, e *env) (sample, error) {
	store, closeStore, err := e.ordersPgx(ctx)
	if err != nil {
		return sample{}, err
	}
	defer closeStore()
	return e.paced(ctx, store, untouched(), func(r *relay.Relay, at *stamps) placer {
		return placePgx(outbox.NewWriter(stamping[pgx.Tx]{store, at}, r.HotPath()))
	})
}

// hotSQL measures ours, untouched, through database/sql.
func hotSQL(ctx context.Context, e *env) (sample, error) {
	if err := e.freshOrders(ctx); err != nil {
		return sample{}, err
	}
	store, closeStore, err := openSQL(e.url, defaultSchema)
	if err != nil {
		return sample{}, err
	}
	defer closeStore()
	return e.paced(ctx, store, untouched(), func(r *relay.Relay, at *stamps) placer {
		return placeSQL(outbox.NewWriter(stamping[*sql.Tx]{store, at}, r.HotPath()), orderText)
	})
}

// placer places order n.
type placer = func(ctx context.Context, n int) error

// paced runs a relay and places orders beside it at the fixed rate.
func (e *env) paced(ctx context.Context, store driver.Store, cfg relay.Config, writer func(*relay.Relay, *stamps) placer) (sample, error) {
	n := e.events(pacedEvents)
	events, at, line, log := newLedger(n), newStamps(n), newFinishLine(n), &logCount{}
	cfg.Logger, cfg.Hooks.Settled = log.logger(), line.settled
	r, err := relay.New(store, stampingRegistry(events, at), cfg)
	if err != nil {
		return sample{}, err
	}
	defer background(ctx, r)()
	if err := pace(ctx, n, pacedRate, writer(r, at)); err != nil {
		return sample{}, err
	}
	if err := line.wait(ctx); err != nil {
		return sample{}, err
	}
	s := newSample(events, n)
	at.latencies(&s)
	s.Note = log.String()
	return s, nil
}

// stampingRegistry has a listener that notes when an event came.
func stampingRegistry(events *ledger, at *stamps) *outbox.Registry {
	reg := outbox.NewRegistry()
	reg.Handle(eventType, func(_ context.Context, e outbox.Event) error {
		n := number(e.JSON)
		at.arrive(n)
		events.got(n)
		return nil
	})
	return reg
}

// hotOagudo measures its optimistic publishing, with the reader beside it as
// its README has it. The commit is noted by the transaction that it is given.
func hotOagudo(ctx context.Context, e *env) (sample, error) {
	if err := e.exec(ctx, ordersTable, "TRUNCATE orders"); err != nil {
		return sample{}, err
	}
	if err := e.freshOagudo(ctx, 0); err != nil {
		return sample{}, err
	}
	db, err := openUTC(e.url)
	if err != nil {
		return sample{}, err
	}
	defer func() { _ = db.Close() }()
	n := e.events(pacedEvents)
	events, at, line := newLedger(n), newStamps(n), newFinishLine(n)
	dbCtx := peer.NewDBContextWithDB(&oagudoDB{db: db, deleted: line.add, committed: at.commitOf}, peer.SQLDialectPostgres)
	publisher := oagudoPublisher(func(n int) {
		at.arrive(n)
		events.got(n)
	})
	writer := peer.NewWriter(dbCtx, peer.WithOptimisticPublisher(publisher))
	reader := peer.NewReader(dbCtx, publisher)
	reader.Start()
	err = pace(ctx, n, pacedRate, func(ctx context.Context, n int) error {
		message := peer.NewMessage([]byte(payload(n)))
		return writer.WriteOne(withNumber(ctx, n), message, func(ctx context.Context, tx peer.TxQueryer) error {
			_, err := tx.ExecContext(ctx, insertOrder, "customer", n)
			return err
		})
	})
	if err == nil {
		err = line.wait(ctx)
	}
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if stopErr := reader.Stop(stopCtx); err == nil {
		err = stopErr
	}
	if err != nil {
		return sample{}, err
	}
	s := newSample(events, n)
	at.latencies(&s)
	s.Note = readerErrors(reader)
	return s, nil
}
