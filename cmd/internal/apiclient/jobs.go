package apiclient

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

const jobsPath = "/api/v1/jobs"

// Jobs lists at most limit jobs that a filter matches, latest first.
func (c *Remote) Jobs(ctx context.Context, f driver.JobFilter, limit int) ([]admin.Job, error) {
	return pages(limit, func(before string, n int) ([]admin.Job, string, error) {
		var out admin.JobPage
		err := c.get(ctx, jobsPath, values("state", string(f.State), "action", f.Action, "before", before, "limit", number(n)), &out)
		if err == nil && out.Jobs == nil {
			err = c.foreign("its answer has no jobs")
		}
		return out.Jobs, out.Next, err
	})
}

// Job returns one job; found is false if there is none.
func (c *Remote) Job(ctx context.Context, id string) (j admin.Job, found bool, err error) {
	found, err = c.find(ctx, jobsPath, id, &j)
	return j, found, err
}

type starting struct {
	ID     string        `json:"id,omitempty"`
	Filter *admin.Filter `json:"filter,omitempty"`
	All    bool          `json:"all,omitempty"`
	Types  []string      `json:"types,omitempty"`
	NewIDs bool          `json:"new_ids,omitempty"`
	DryRun bool          `json:"dry_run,omitempty"`
	Rate   int           `json:"rate,omitempty"`
	Note   string        `json:"note,omitempty"`
}

func (c *Remote) post(ctx context.Context, spec job.Spec, in starting) (s admin.StartedJob, err error) {
	if err := spec.Validate(); err != nil {
		return s, err
	}
	in.ID, in.All, in.Types, in.NewIDs, in.Rate = spec.ID, spec.All, spec.Types, spec.NewIDs, spec.Rate
	if f := spec.Filter; f != (job.Filter{}) {
		in.Filter = &admin.Filter{Type: f.Type, Error: f.Error, Group: f.Group, Destination: f.Destination, Payload: f.Payload, Tenant: f.Tenant, Key: f.Key,
			After: optional(f.After), Before: optional(f.Before)}
	}
	var out struct {
		admin.StartedJob
		Matches *admin.Count `json:"matches"`
	}
	err = c.call(ctx, http.MethodPost, jobsPath+"/"+string(spec.Action), in, &out)
	if err == nil && (out.Matches == nil || (out.Job == nil) != in.DryRun) {
		err = c.foreign("its answer has no job")
	}
	if err != nil {
		return s, err
	}
	out.StartedJob.Matches = *out.Matches
	return out.StartedJob, nil
}

// CountJob returns what a job would change now, counted up to a bound.
func (c *Remote) CountJob(ctx context.Context, spec job.Spec) (admin.StartedJob, error) {
	return c.post(ctx, spec, starting{DryRun: true})
}

// StartJob starts a job, which a daemon runs. The server knows who starts it.
func (c *Remote) StartJob(ctx context.Context, spec job.Spec, act driver.Act) (admin.Job, error) {
	if ctx.Err() != nil {
		return admin.Job{}, ctx.Err()
	}
	// An interrupt must not leave behind a job that nobody knows about: the job
	// is started first, and then cancelled.
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), startWithin)
	defer end()
	s, err := c.post(ctx, spec, starting{Note: act.Note})
	if errors.Is(err, context.DeadlineExceeded) {
		err = c.unanswered(context.Background(), http.MethodPost, errors.New("no answer in time"))
	}
	if err != nil {
		return admin.Job{}, err
	}
	return *s.Job, nil
}

const (
	startWithin = 30 * time.Second
	// watchEvery is how often a job is looked at.
	watchEvery = 500 * time.Millisecond
	// watchThrough is how long there may be no answer, while a daemon restarts.
	watchThrough = time.Minute
)

// RunJob watches a job until it ends or waits for a second person. It calls
// progress, if not nil, with each state that it sees.
func (c *Remote) RunJob(ctx context.Context, id string, progress func(admin.Job)) (last admin.Job, err error) {
	heard := time.Now()
	for {
		j, found, err := c.Job(ctx, id)
		var p *dburl.Problem
		switch down := errors.As(err, &p) && p.Kind == dburl.Down; {
		case down && time.Since(heard) < watchThrough:
		case down:
			return last, &dburl.Problem{Kind: dburl.Down, Err: p.Err, Advice: "the job goes on without this command: see outbox jobs show " + id}
		case err != nil:
			return last, err
		case !found:
			return last, job.ErrNotFound
		case j.State.Ended() || j.State == driver.JobWaiting:
			return j, nil
		default:
			last, heard = j, time.Now()
			if progress != nil {
				progress(j)
			}
		}
		if err := wait(ctx, watchEvery); err != nil {
			return last, err
		}
	}
}

// Cancel is [job.Cancel].
func (c *Remote) Cancel(ctx context.Context, id string, act driver.Act) (admin.Job, error) {
	return c.decide(ctx, id, driver.JobCancel, act)
}

// Consent is [job.Consent].
func (c *Remote) Consent(ctx context.Context, id string, act driver.Act) (admin.Job, error) {
	return c.decide(ctx, id, driver.JobConsent, act)
}

func (c *Remote) decide(ctx context.Context, id string, d driver.JobDecision, act driver.Act) (j admin.Job, err error) {
	if !addressable(id) {
		return j, job.ErrNotFound
	}
	in := struct {
		Note string `json:"note,omitempty"`
	}{act.Note}
	err = c.call(ctx, http.MethodPost, jobsPath+"/"+url.PathEscape(id)+"/"+string(d), in, &j)
	switch {
	case isStatus(err, http.StatusNotFound):
		return j, job.ErrNotFound
	case !isStatus(err, http.StatusConflict):
		return j, err
	}
	j, found, gone := c.Job(ctx, id)
	switch {
	case gone != nil:
		return j, gone
	case !found:
		return j, job.ErrNotFound
	case d == driver.JobConsent && j.State == driver.JobWaiting:
		return j, job.ErrSame
	}
	return j, job.ErrDecided
}
