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

// Config configures a [Runner].
type Config struct {
	// Store holds the outbox and its jobs. Required.
	Store Store
	// Name is shown as what runs a job. Default "runner".
	Name string
	// Interval is how often the runner looks for jobs. Default 1 s.
	Interval time.Duration
	// Lease is how long a runner must be silent before another one continues its
	// job. Default 30 s.
	Lease time.Duration
	// Concurrent is how many jobs run at once. Default 4.
	Concurrent int
	// ConsentWithin is how long a job waits for the consent of a second person.
	// Then it ends as [driver.JobExpired], within an hour. Default 7 days.
	ConsentWithin time.Duration
	// Retention is how long jobs are kept after they end. Default 30 days.
	Retention time.Duration
	// Logger gets the start and the end of each job, and what failed. Default:
	// slog.Default().
	Logger *slog.Logger
}

// Runner runs jobs. Several runners may share one outbox, in one process or in
// many. Make one with [NewRunner].
type Runner struct {
	Config
	swept time.Time
}

// NewRunner makes a runner. It returns an error if the configuration is invalid.
func NewRunner(c Config) (*Runner, error) {
	switch {
	case c.Store == nil:
		return nil, errors.New("job: set Store")
	case c.Interval < 0 || c.Lease < 0 || c.Concurrent < 0 || c.ConsentWithin < 0 || c.Retention < 0:
		return nil, errors.New("job: Interval, Lease, Concurrent, ConsentWithin and Retention must not be negative: leave them zero for their defaults")
	}
	c.Name = cmp.Or(c.Name, "runner")
	c.Interval = cmp.Or(c.Interval, time.Second)
	c.Lease = cmp.Or(c.Lease, 30*time.Second)
	c.Concurrent = cmp.Or(c.Concurrent, 4)
	c.ConsentWithin = cmp.Or(c.ConsentWithin, 7*24*time.Hour)
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Runner{Config: c}, nil
}

// Run runs jobs until ctx is done, then waits for the running ones to stop. Call
// it once.
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
				_, _ = r.work(ctx, j, owner, nil) // the log and the job have the error
			})
		}
		if failed := err != nil && ctx.Err() == nil; failed != down { // one line for an outage
			if down = failed; failed {
				r.Logger.Error("outbox: cannot look for jobs, will try again", "error", err)
			} else if ctx.Err() == nil {
				r.Logger.Info("outbox: can look for jobs again")
			}
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

// sweepEvery is how often a runner looks for old jobs.
const sweepEvery = time.Hour

// sweep ends jobs that nobody allowed in time, and deletes old ones, now and then.
func (r *Runner) sweep(ctx context.Context) error {
	if time.Since(r.swept) < sweepEvery {
		return nil
	}
	r.swept = time.Now()
	expired, _, err := r.Store.SweepJobs(ctx, driver.JobSweep{Waiting: r.ConsentWithin, Ended: r.Retention, Limit: 1000})
	if expired > 0 {
		r.Logger.Warn("outbox: jobs ended because nobody allowed them in time", "jobs", expired)
	}
	return err
}

// RunJob runs one job to its end, or watches it while another runner does, and
// returns it in its final state, or in [driver.JobWaiting] if it needs consent.
// While the database is down it waits. RunJob calls progress, if not nil, on the
// caller's goroutine with the job after every step that it sees.
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
		case errors.Is(err, outbox.ErrStoreDown) && ctx.Err() == nil: // wait, as a step does
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
