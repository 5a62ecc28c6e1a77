package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
)

// The deliveries of one run, and who takes them: each hand has a connection.
const (
	inboxSingles = 20_000
	inboxBatched = 200_000
	inboxBatch   = 100
	inboxHands   = 4
	inboxGroup   = "billing"
)

// The parts of the variants' names.
const (
	nameSingles = "single messages"
	nameBatches = "batches of 100"
	nameTwice   = ", 50 % duplicates"
	nameCached  = ", cache"
	nameInsert  = "raw, batches of 100"
	nameKey     = "raw, nothing but a key, batches of 100"
	nameUnique  = "River, unique jobs, batches of 100"
)

func inboxScenario() scenario {
	s := scenario{
		name: "inbox",
		what: "messages consumed once each, with one row of effect, on 4 connections: 20,000 alone, 200,000 in batches",
	}
	for _, twice := range []bool{false, true} {
		for _, cached := range []bool{false, true} {
			s.variants = append(s.variants,
				variant{inboxName(nameSingles, twice, cached), consume(inboxSingles, 1, twice, oursConsuming(cached))},
				variant{inboxName(nameBatches, twice, cached), consume(inboxBatched, inboxBatch, twice, oursConsuming(cached))})
		}
		s.variants = append(s.variants,
			variant{inboxName(nameInsert, twice, false), consume(inboxBatched, inboxBatch, twice, rawConsuming(insertConsumed))},
			variant{inboxName(nameKey, twice, false), consume(inboxBatched, inboxBatch, twice, rawConsuming(insertKey))},
			variant{inboxName(nameUnique, twice, false), consume(inboxBatched, inboxBatch, twice, riverConsuming)})
	}
	s.judge = judgeInbox
	return s
}

func inboxName(name string, twice, cached bool) string {
	if twice {
		name += nameTwice
	}
	if cached {
		name += nameCached
	}
	return name
}

func judgeInbox(r results) []row {
	var rows []row
	for _, twice := range []bool{false, true} {
		raw := r.figure(inboxName(nameInsert, twice, false), rate)
		for _, cached := range []bool{false, true} {
			name := inboxName(nameBatches, twice, cached)
			rows = append(rows, atLeast("inbox, "+name+", against raw INSERTs", r.figure(name, rate), raw, 0.6))
		}
		name := inboxName(nameBatches, twice, false)
		rows = append(rows,
			compared("inbox, "+name+", against raw INSERTs of nothing but a key", r.figure(name, rate), r.figure(inboxName(nameKey, twice, false), rate)),
			compared("inbox, "+name+", against River's unique jobs", r.figure(name, rate), r.figure(inboxName(nameUnique, twice, false), rate)),
			compared("inbox, "+inboxName(nameSingles, twice, true)+", against no cache",
				r.figure(inboxName(nameSingles, twice, true), rate), r.figure(inboxName(nameSingles, twice, false), rate)))
	}
	return rows
}

// consumerFunc makes what takes messages.
type consumerFunc = func(ctx context.Context, e *env, pool *pgxpool.Pool) (take takeFunc, closeTake func(), err error)

type takeFunc = func(ctx context.Context, ms []outbox.Received) error

// The effect: one row for each event, by one statement.
const (
	effectTable  = `CREATE TABLE IF NOT EXISTS effect (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id text NOT NULL, body text NOT NULL)`
	insertEffect = "INSERT INTO effect (event_id, body) SELECT * FROM unnest($1::text[], $2::text[])"
	insertOne    = "INSERT INTO effect (event_id, body) VALUES ($1, $2)"
)

func haveEffect(ctx context.Context, tx pgx.Tx, fresh []outbox.Received) (err error) {
	if len(fresh) == 1 {
		_, err = tx.Exec(ctx, insertOne, fresh[0].EventID, string(fresh[0].Payload))
		return err
	}
	ids, bodies := make([]string, len(fresh)), make([]string, len(fresh))
	for i, m := range fresh {
		ids[i], bodies[i] = m.EventID, string(m.Payload)
	}
	_, err = tx.Exec(ctx, insertEffect, ids, bodies)
	return err
}

// keyTable is the least that a consumer needs: no group, and no time for the
// retention.
const keyTable = `CREATE TABLE IF NOT EXISTS consumed_key (event_id varchar(36) COLLATE "C" PRIMARY KEY)`

// consume measures how fast deliveries are taken.
func consume(n, batch int, twice bool, with consumerFunc) runFunc {
	return func(ctx context.Context, e *env) (s sample, err error) {
		d := deliveries{n: e.events(n), twice: twice}
		pool, err := e.freshInbox(ctx)
		if err != nil {
			return s, err
		}
		defer pool.Close()
		take, closeTake, err := with(ctx, e, pool)
		if err != nil {
			return s, err
		}
		defer closeTake()
		ms := d.messages()
		before := e.cpu.now()
		took, err := inHands(ctx, inboxHands, d.n, batch, func(ctx context.Context, _, from, to int) error {
			return take(ctx, ms[from:to])
		})
		if err != nil {
			return s, err
		}
		cost := sample{Values: map[metric]float64{}}
		e.cpu.since(before, &cost, d.n)
		effects, err := e.effects(ctx, d)
		if err != nil {
			return s, err
		}
		s = newSample(effects, d.fresh())
		s.Values = cost.Values
		s.Values[rate] = perSecond(d.n, took)
		return s, nil
	}
}

// freshInbox has only the events that were consumed before, in every table that
// a variant could look at.
func (e *env) freshInbox(ctx context.Context) (*pgxpool.Pool, error) {
	if err := e.migrate(ctx, defaultSchema); err != nil {
		return nil, err
	}
	if err := e.exec(ctx, effectTable, keyTable, "TRUNCATE outbox_consumed_event, effect, consumed_key"); err != nil {
		return nil, err
	}
	ids := make([]string, redelivered)
	for i := range ids {
		ids[i] = consumedID(i - redelivered)
	}
	if _, err := e.admin.Exec(ctx, "INSERT INTO outbox_consumed_event (consumer_group, event_id) SELECT $1, unnest($2::text[])", inboxGroup, ids); err != nil {
		return nil, err
	}
	if _, err := e.admin.Exec(ctx, "INSERT INTO consumed_key SELECT unnest($1::text[])", ids); err != nil {
		return nil, err
	}
	if err := e.rest(ctx, "outbox_consumed_event", "effect", "consumed_key"); err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(e.url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = inboxHands
	return pgxpool.NewWithConfig(ctx, config)
}

// effects reads back which events had theirs.
func (e *env) effects(ctx context.Context, d deliveries) (*ledger, error) {
	had := newLedger(d.fresh())
	rows, _ := e.admin.Query(ctx, "SELECT event_id FROM effect") // rows has the error too
	var id string
	_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
		had.got(consumedNumber(id))
		return nil
	})
	return had, err
}
