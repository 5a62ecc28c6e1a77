package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

const nameWoken = "ours, woken by NOTIFY"

func coldPath() scenario {
	return scenario{
		name:     "cold",
		what:     "cold path woken: 10,000 transactions of another process, 300 each second; commit to listener",
		variants: []variant{{nameWoken, coldWoken}},
		judge: func(r results) []row {
			return []row{
				noMore("cold path woken, p99", r.figure(nameWoken, p99), 10),
				alone("cold path woken, p50", r.figure(nameWoken, p50)),
				alone("cold path woken, maximum", r.figure(nameWoken, longest)),
			}
		},
	}
}

// writerTask is the task of a writing process.
type writerTask struct {
	URL    string
	Schema string
	Events int
	Rate   float64
}

// writerReport is when its transactions were committed: nanoseconds of the wall
// clock.
type writerReport struct{ Committed []int64 }

// writerWorker writes in a process that does not relay, and wakes those that
// do.
func writerWorker(ctx context.Context, text json.RawMessage, boss *boss) (any, error) {
	var task writerTask
	if err := json.Unmarshal(text, &task); err != nil {
		return nil, err
	}
	store, closeStore, err := openPgx(ctx, task.URL, task.Schema)
	if err != nil {
		return nil, err
	}
	defer closeStore()
	at := newStamps(task.Events)
	place := placePgx(outbox.NewWriter(stamping[pgx.Tx]{store, at}, relay.NewNotifier(store, (&logCount{}).logger()).OnCommit()))
	if err := boss.ready(); err != nil {
		return nil, err
	}
	if err := pace(ctx, task.Events, task.Rate, place); err != nil {
		return nil, err
	}
	// A process that ended at once would take its last wake-up with it.
	if err := boss.await(wordStop); err != nil {
		return nil, err
	}
	report := writerReport{Committed: make([]int64, task.Events)}
	for i := range report.Committed {
		report.Committed[i] = at.committed[i].Load()
	}
	return report, nil
}

// coldWoken runs an untouched relay that listens, and a writer elsewhere.
func coldWoken(ctx context.Context, e *env) (sample, error) {
	store, closeStore, err := e.ordersPgx(ctx)
	if err != nil {
		return sample{}, err
	}
	defer closeStore()
	n := e.events(pacedEvents)
	events, at, line, log := newLedger(n), newStamps(n), newFinishLine(n), &logCount{}
	cfg := untouched()
	cfg.Wakers = []driver.Waker{store.Waker(nil)}
	cfg.Logger, cfg.Hooks.Settled = log.logger(), line.settled
	r, err := relay.New(store, stampingRegistry(events, at), cfg)
	if err != nil {
		return sample{}, err
	}
	defer background(ctx, r)()
	p, err := startProcess(ctx, "writer", writerTask{URL: e.url, Schema: defaultSchema, Events: n, Rate: pacedRate})
	if err != nil {
		return sample{}, err
	}
	defer p.kill()
	if err := p.tell(wordGo); err != nil {
		return sample{}, err
	}
	stopped := make(chan error, 1)
	go func() { stopped <- errors.Join(line.wait(ctx), p.tell(wordStop)) }()
	var report writerReport
	if err := p.report(&report, nil); err != nil {
		return sample{}, err
	}
	if err := <-stopped; err != nil {
		return sample{}, err
	}
	for i, nanos := range report.Committed {
		at.committed[i].Store(nanos)
	}
	s := newSample(events, n)
	at.latencies(&s)
	s.Note = log.String()
	return s, nil
}
