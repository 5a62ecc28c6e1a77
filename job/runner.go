package job

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Config is what a runner is made of.
type Config struct {
	// Store holds the outbox and its jobs. Required.
	Store Store
	// Name is shown as the one who runs a job. Default "runner".
	Name string
	// Interval is how often it looks for jobs. Default 1 s.
	Interval time.Duration
	// Lease is how long after the last sign of life of a runner another one goes
	// on with its job. Default 30 s.
	Lease time.Duration
	// Concurrent is how many jobs it runs at once. Default 4.
	Concurrent int
	// Retention is how long jobs are kept after their end. Default 30 days.
	Retention time.Duration
	// Logger gets the beginning and the end of each job, and what could not be
	// done. Default: slog.Default().
	Logger *slog.Logger
}

// Runner runs jobs. Several may run on one outbox, in one process or in many. Make
// one with [NewRunner].
type Runner struct {
	Config
	swept time.Time
}

// NewRunner makes a runner.
func NewRunner(c Config) (*Runner, error) {
	switch {
	case c.Store == nil:
		return nil, errors.New("job: set Store")
	case c.Interval < 0 || c.Lease < 0 || c.Concurrent < 0 || c.Retention < 0:
		return nil, errors.New("job: Interval, Lease, Concurrent and Retention must not be negative: leave them zero for their defaults")
	}
	c.Name = cmp.Or(c.Name, "runner")
	c.Interval = cmp.Or(c.Interval, time.Second)
	c.Lease = cmp.Or(c.Lease, 30*time.Second)
	c.Concurrent = cmp.Or(c.Concurrent, 4)
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Runner{Config: c}, nil
}

// Run runs jobs until ctx is done, and then waits for those that it has begun to
// stop. Call it once.
func (r *Runner) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	places := make(chan struct{}, r.Concurrent)
	t := time.NewTicker(r.Interval)
	defer t.Stop()
	down := false
	for {
		err := r.sweep(ctx)
		for err == nil && len(places) < cap(places) {
			owner := driver.NewOwner(r.Name)
			var j driver.Job
			var found bool
			if j, found, err = r.Store.ClaimJob(ctx, "", owner, r.Lease); err != nil || !found {
				break
			}
			places <- struct{}{}
			running.Go(func() {
				defer func() { <-places }()
				_, _ = r.work(ctx, j, owner, nil) // it is in the log, and in the job
			})
		}
		if failed := err != nil && ctx.Err() == nil; failed != down { // one line for an outage
			if down = failed; failed {
				r.Logger.Error("outbox: jobs cannot be looked for, will try again", "error", err)
			} else if ctx.Err() == nil {
				r.Logger.Info("outbox: jobs can be looked for again")
			}
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

// sweep deletes old jobs now and then.
func (r *Runner) sweep(ctx context.Context) error {
	if time.Since(r.swept) < time.Hour {
		return nil
	}
	r.swept = time.Now()
	_, err := r.Store.SweepJobs(ctx, r.Retention, 1000)
	return err
}

// RunJob runs one job to its end, or watches it while somebody else does, and
// returns it as it is then. While the database is down it waits. Progress, if not
// nil, is called with the job after every step that is seen, by the caller's
// goroutine.
func (r *Runner) RunJob(ctx context.Context, id string, progress func(driver.Job)) (driver.Job, error) {
	owner := driver.NewOwner(r.Name)
	t := time.NewTicker(r.Interval)
	defer t.Stop()
	for {
		j, found, err := r.Store.ClaimJob(ctx, id, owner, r.Lease)
		if err == nil && found {
			if j, err = r.work(ctx, j, owner, progress); err != nil {
				return j, err
			}
		}
		if err == nil {
			j, found, err = r.Store.GetJob(ctx, id)
		}
		switch {
		case errors.Is(err, outbox.ErrStoreDown) && ctx.Err() == nil: // as a step does
		case err != nil:
			return j, err
		case !found:
			return j, ErrNotFound
		case j.State.Ended() || j.State == driver.JobWaiting:
			return j, nil
		case progress != nil:
			progress(j)
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return j, ctx.Err()
		}
	}
}
