package main

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	watersql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/jackc/pgx/v5/pgxpool"
)

// watermillTopic is the topic, and part of the name of the table.
const watermillTopic = "bench"

// watermillKind is one of its two ways to keep messages.
type watermillKind struct {
	table   string
	others  string // tables to be emptied with it
	schema  watersql.SchemaAdapter
	offsets watersql.OffsetsAdapter
	// extra is what an INSERT gives beside uuid, payload and metadata.
	extraColumn, extraValue string
}

// offsets keeps messages for ever and one position for each consumer group.
func offsets(batch int) watermillKind {
	return watermillKind{
		table:       `"watermill_bench"`,
		others:      `, "watermill_offsets_bench"`,
		schema:      watersql.DefaultPostgreSQLSchema{SubscribeBatchSize: batch},
		offsets:     watersql.DefaultPostgreSQLOffsetsAdapter{},
		extraColumn: ", transaction_id", extraValue: ", pg_current_xact_id()",
	}
}

// queue deletes what is acknowledged.
func queue(batch int) watermillKind {
	name := func(string) string { return `"watermill_queue"` }
	return watermillKind{
		table:   `"watermill_queue"`,
		schema:  watersql.PostgreSQLQueueSchema{SubscribeBatchSize: batch, GenerateMessagesTableName: name},
		offsets: watersql.PostgreSQLQueueOffsetsAdapter{DeleteOnAck: true, GenerateMessagesTableName: name},
	}
}

// drainWatermill measures one subscriber, which has a batch in a transaction,
// hands its messages over one by one, and commits when the last is
// acknowledged. Its batches have 100 messages by default.
func drainWatermill(k watermillKind) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		n := e.events(drainEvents)
		pool, err := pgxpool.New(ctx, e.url)
		if err != nil {
			return sample{}, err
		}
		defer pool.Close()
		acked := 0 // by the one goroutine that hands over, which also commits
		line := newFinishLine(n)
		db := &watermillDB{Beginner: watersql.BeginnerFromPgx(pool), committed: func() {
			line.add(acked - line.count())
		}}
		subscriber, err := watersql.NewSubscriber(db, watersql.SubscriberConfig{
			SchemaAdapter: k.schema, OffsetsAdapter: k.offsets,
		}, watermill.NopLogger{})
		if err != nil {
			return sample{}, err
		}
		if err := subscriber.SubscribeInitialize(watermillTopic); err != nil {
			return sample{}, err
		}
		if err := e.loadWatermill(ctx, k, n); err != nil {
			return sample{}, err
		}
		events := newLedger(n)
		before, start := e.cpu.now(), time.Now()
		messages, err := subscriber.Subscribe(ctx, watermillTopic)
		if err != nil {
			return sample{}, err
		}
		for range n {
			select {
			case m := <-messages:
				events.got(number(m.Payload))
				acked++
				m.Ack()
			case <-ctx.Done():
				return sample{}, context.Cause(ctx)
			}
		}
		if err := line.wait(ctx); err != nil {
			return sample{}, err
		}
		took := line.since(start)
		if err := subscriber.Close(); err != nil {
			return sample{}, err
		}
		s := drained(events, took, &logCount{})
		e.cpu.since(before, &s, n)
		return s, nil
	}
}

// watermillLoad is the number of messages written by one transaction. Its
// default schema orders by transaction, and a business writes few in each.
const watermillLoad = 10

func (e *env) loadWatermill(ctx context.Context, k watermillKind, n int) error {
	if err := e.exec(ctx, "TRUNCATE "+k.table+k.others); err != nil {
		return err
	}
	err := e.exec(ctx, fmt.Sprintf(`DO $$ BEGIN
		FOR i IN 0..%[1]d LOOP
			INSERT INTO %[3]s (uuid, payload, metadata%[4]s)
			SELECT gen_random_uuid(), (%[6]s)::json, '{}'%[5]s
			FROM generate_series(i * %[7]d, least((i + 1) * %[7]d, %[2]d) - 1) g;
			COMMIT;
		END LOOP;
	END $$`, (n-1)/watermillLoad, n, k.table, k.extraColumn, k.extraValue, payloadSQL(payloadSize), watermillLoad))
	if err != nil {
		return err
	}
	return e.rest(ctx, k.table)
}

// watermillDB is the pool, with a view of the commits.
type watermillDB struct {
	watersql.Beginner
	committed func()
}

// BeginTx implements [watersql.Beginner].
func (d *watermillDB) BeginTx(ctx context.Context, opts *sql.TxOptions) (watersql.Tx, error) {
	tx, err := d.Beginner.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &watermillTx{tx, d.committed}, nil
}

type watermillTx struct {
	watersql.Tx
	committed func()
}

// Commit implements [watersql.Tx].
func (t *watermillTx) Commit() error {
	err := t.Tx.Commit()
	if err == nil {
		t.committed()
	}
	return err
}
