package demo

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/alert"
	"github.com/sendoff-go/outbox/job"
)

// operate runs what an operator needs besides relays: jobs, alerts and the console.
// stop ends all of it.
func (d *Demo) operate(ctx context.Context) (stop func(), err error) {
	jobs, err := job.NewRunner(job.Config{Store: d.db.Store, Name: "demo", Logger: quiet})
	if err != nil {
		return nil, err
	}
	alerts, err := alert.New(alert.Config{
		Store: d.db.Store, Interval: 2 * time.Second, Logger: quiet,
		// So that something is seen within a minute.
		Rules: alert.Rules{DestinationDown: 4 * time.Second, OldestWaiting: 8 * time.Second},
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	unserve, err := d.serve(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	var running sync.WaitGroup
	running.Go(func() { jobs.Run(ctx) })
	running.Go(func() { alerts.Run(ctx) })
	running.Go(func() { d.followPeople(ctx) })
	running.Go(func() { d.workOnCall(ctx) })
	return func() {
		cancel() // also ends the streams of open pages
		unserve()
		running.Wait()
	}, nil
}
