package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/sendoff-go/outbox"
)

// The ways to note ids and find out which are new.
const (
	insertConsumed = "INSERT INTO outbox_consumed_event (consumer_group, event_id) SELECT '" + inboxGroup + "', unnest($1::text[]) ON CONFLICT DO NOTHING RETURNING event_id"
	insertKey      = "INSERT INTO consumed_key (event_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING RETURNING event_id"
)

// rawConsuming does by hand what a consumer does: one transaction of one
// statement for the ids and one for the effects.
func rawConsuming(insert string) consumerFunc {
	return func(_ context.Context, _ *env, pool *pgxpool.Pool) (takeFunc, func(), error) {
		take := func(ctx context.Context, ms []outbox.Received) error {
			return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
				fresh, err := noteRaw(ctx, tx, insert, ms)
				if err != nil || len(fresh) == 0 {
					return err
				}
				return haveEffect(ctx, tx, fresh)
			})
		}
		return take, func() {}, nil
	}
}

func noteRaw(ctx context.Context, tx pgx.Tx, insert string, ms []outbox.Received) ([]outbox.Received, error) {
	ids := make([]string, len(ms))
	for i := range ms {
		ids[i] = ms[i].EventID
	}
	rows, _ := tx.Query(ctx, insert, ids) // rows has the error too
	isNew := make(map[string]bool, len(ms))
	for rows.Next() {
		isNew[string(rows.RawValues()[0])] = true
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	fresh := make([]outbox.Received, 0, len(ms))
	for _, m := range ms {
		if isNew[m.EventID] {
			fresh = append(fresh, m)
		}
	}
	return fresh, nil
}

// riverConsumed is a job that stands for an id.
type riverConsumed struct {
	EventID string `json:"event_id"`
}

// Kind implements [river.JobArgs].
func (riverConsumed) Kind() string { return "consumed" }

// InsertOpts implements [river.JobArgsWithInsertOpts].
func (riverConsumed) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// riverConsuming is River's nearest: a unique job for each id, inserted in the
// transaction of the effect. The jobs are not worked off.
func riverConsuming(ctx context.Context, e *env, pool *pgxpool.Pool) (takeFunc, func(), error) {
	if err := migrateRiver(ctx, e, e.admin); err != nil {
		return nil, nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: (&logCount{}).logger()})
	if err != nil {
		return nil, nil, err
	}
	var before []river.InsertManyParams
	for i := range redelivered {
		before = append(before, river.InsertManyParams{Args: riverConsumed{consumedID(i - redelivered)}})
	}
	if _, err := client.InsertMany(ctx, before); err != nil {
		return nil, nil, err
	}
	if err := e.rest(ctx, "river_job"); err != nil {
		return nil, nil, err
	}
	take := func(ctx context.Context, ms []outbox.Received) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			fresh, err := noteRiver(ctx, tx, client, ms)
			if err != nil || len(fresh) == 0 {
				return err
			}
			return haveEffect(ctx, tx, fresh)
		})
	}
	return take, func() {}, nil
}

func noteRiver(ctx context.Context, tx pgx.Tx, client *river.Client[pgx.Tx], ms []outbox.Received) ([]outbox.Received, error) {
	params := make([]river.InsertManyParams, len(ms))
	for i := range ms {
		params[i].Args = riverConsumed{ms[i].EventID}
	}
	answers, err := client.InsertManyTx(ctx, tx, params)
	if err != nil {
		return nil, err
	}
	fresh := make([]outbox.Received, 0, len(ms))
	for i, answer := range answers {
		if !answer.UniqueSkippedAsDuplicate {
			fresh = append(fresh, ms[i])
		}
	}
	return fresh, nil
}
