package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// riverArgs has the same text as every other payload here.
type riverArgs struct {
	N   string `json:"n"`
	Pad string `json:"pad"`
}

// Kind implements [river.JobArgs].
func (riverArgs) Kind() string { return eventType }

type riverWorker struct {
	river.WorkerDefaults[riverArgs]
	events *ledger
}

// Work implements [river.Worker].
func (w *riverWorker) Work(_ context.Context, job *river.Job[riverArgs]) error {
	var n int
	for _, c := range []byte(job.Args.N) {
		n = 10*n + int(c-'0')
	}
	w.events.got(n)
	return nil
}

// drainRiver measures River with the settings of its own benchmark: 2000
// workers, a cooldown of 2 ms and a poll every 20 ms. As there, a job counts
// when the subscription reports it as completed, which is when it is written.
func drainRiver(ctx context.Context, e *env) (sample, error) {
	n := e.events(drainEvents)
	pool, err := pgxpool.New(ctx, e.url)
	if err != nil {
		return sample{}, err
	}
	defer pool.Close()
	if err := migrateRiver(ctx, e, pool); err != nil {
		return sample{}, err
	}
	events, log := newLedger(n), &logCount{}
	workers := river.NewWorkers()
	river.AddWorker(workers, &riverWorker{events: events})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		FetchCooldown:     2 * time.Millisecond,
		FetchPollInterval: 20 * time.Millisecond,
		Logger:            log.logger(),
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 2000}},
		Workers:           workers,
	})
	if err != nil {
		return sample{}, err
	}
	if err := loadRiver(ctx, e, client, n); err != nil {
		return sample{}, err
	}
	done, unsubscribe := client.SubscribeConfig(&river.SubscribeConfig{
		ChanSize: n, Kinds: []river.EventKind{river.EventKindJobCompleted},
	})
	defer unsubscribe()
	before, start := e.cpu.now(), time.Now()
	if err := client.Start(ctx); err != nil {
		return sample{}, err
	}
	for range n {
		select {
		case <-done:
		case <-ctx.Done():
			return sample{}, context.Cause(ctx)
		}
	}
	took := time.Since(start)
	if err := client.Stop(ctx); err != nil {
		return sample{}, err
	}
	s := drained(events, took, log)
	e.cpu.since(before, &s, n)
	return s, nil
}

func migrateRiver(ctx context.Context, e *env, pool *pgxpool.Pool) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: (&logCount{}).logger()})
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("river: %w", err)
	}
	return e.exec(ctx, "TRUNCATE river_job")
}

// loadRiver inserts jobs as River's benchmark does, 5000 at a time.
func loadRiver(ctx context.Context, e *env, client *river.Client[pgx.Tx], n int) error {
	for from := 0; from < n; from += 5000 {
		var params []river.InsertManyParams
		for i := from; i < min(from+5000, n); i++ {
			params = append(params, river.InsertManyParams{Args: riverArgs{N: fmt.Sprintf("%0*d", numberDigits, i), Pad: padding}})
		}
		if _, err := client.InsertManyFast(ctx, params); err != nil {
			return err
		}
	}
	return e.rest(ctx, "river_job")
}
