package admin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

// Job is a change to many rows, on the wire.
type Job struct {
	ID        string          `json:"id"`
	Action    string          `json:"action" enum:"retry,resolve,delete,note,replay,erase"`
	State     driver.JobState `json:"state" enum:"waiting,running,done,failed,cancelled,expired" doc:"waiting: for the consent of a second person; expired: nobody gave it in time."`
	Filter    Filter          `json:"filter"`
	Types     []string        `json:"types,omitempty" doc:"The event types that the destination of a replay stood for when it was started, which it keeps."`
	NewIDs    bool            `json:"new_ids,omitempty"`
	Rate      int             `json:"rate,omitempty"`
	Matches   Count           `json:"matches" doc:"Rows that matched when it was started."`
	Applied   int64           `json:"applied" doc:"Rows that it changed."`
	Conflicts int64           `json:"conflicts" doc:"Rows left alone, because an event with their id is in the outbox again or, for an erasure, because they are not delivered yet."`
	Gone      int64           `json:"gone" doc:"Rows that somebody else changed first."`
	By        string          `json:"by"`
	Note      string          `json:"note"`
	DecidedBy string          `json:"decided_by,omitempty" doc:"Who allowed or cancelled it."`
	RunBy     string          `json:"run_by,omitempty" doc:"The instance that runs it."`
	Error     string          `json:"error,omitempty" doc:"Why it failed or expired."`
	CreatedAt time.Time       `json:"created_at"`
	ChangedAt time.Time       `json:"changed_at"`
	EndedAt   *time.Time      `json:"ended_at,omitempty"`
}

// JobStates are the states of jobs, as a filter takes them.
func JobStates() []string {
	return []string{"waiting", "running", "done", "failed", "cancelled", "expired"}
}

// JobActions are what jobs do, as a filter takes it.
func JobActions() []string { return []string{"retry", "resolve", "delete", "note", "replay", "erase"} }

// JobOf returns a job as it goes over the wire.
func JobOf(j driver.Job) Job {
	spec, _ := job.SpecOf(j) // what cannot be read is left out
	return Job{
		ID: j.ID, Action: j.Action, State: j.State, Filter: filterOf(spec.Filter), Types: spec.Types, NewIDs: spec.NewIDs, Rate: spec.Rate,
		Matches: Count(j.Matches), Applied: j.Applied, Conflicts: j.Conflicts, Gone: j.Gone,
		By: j.By, Note: j.Note, DecidedBy: j.DecidedBy, RunBy: string(j.Owner), Error: j.Error,
		CreatedAt: encodable(j.CreatedAt), ChangedAt: encodable(j.ChangedAt), EndedAt: optional(j.EndedAt),
	}
}

// JobsOf returns jobs as they go over the wire.
func JobsOf(js []driver.Job) []Job {
	out := make([]Job, len(js))
	for i, j := range js {
		out[i] = JobOf(j)
	}
	return out
}

// Filter selects what a job changes. It has at least one field.
type Filter struct {
	Type        string     `json:"type,omitempty" minLength:"1" maxLength:"128" doc:"The event type."`
	Error       string     `json:"error,omitempty" minLength:"1" maxLength:"4000" doc:"Dead letters only: a part of the error."`
	Group       string     `json:"group,omitempty" minLength:"1" maxLength:"36" doc:"Dead letters only: the id of their group."`
	Destination string     `json:"destination,omitempty" minLength:"1" maxLength:"255" doc:"Where dead letters were not delivered. For a replay: all events of the types that running relays announce for it, to wherever these types go now."`
	Payload     string     `json:"payload,omitempty" minLength:"1" maxLength:"1000" doc:"Dead letters only: a field of the payload and its value, such as $.customer.id=4711."`
	Tenant      string     `json:"tenant,omitempty" minLength:"1" maxLength:"64" doc:"The tenant's id."`
	Key         string     `json:"key,omitempty" minLength:"1" maxLength:"128" doc:"The aggregate's id."`
	After       *time.Time `json:"after,omitempty" doc:"Died after, or written after."`
	Before      *time.Time `json:"before,omitempty" doc:"Died before, or written before."`
}

func filterOf(f job.Filter) Filter {
	return Filter{Type: f.Type, Error: f.Error, Group: f.Group, Destination: f.Destination, Payload: f.Payload, Tenant: f.Tenant, Key: f.Key, After: optional(f.After), Before: optional(f.Before)}
}

func (f *Filter) read() (out job.Filter, err error) {
	if *f == (Filter{}) {
		return out, huma.Error400BadRequest("the filter is empty and would match everything: send all instead if you mean that")
	}
	out = job.Filter{Type: f.Type, Error: f.Error, Group: f.Group, Destination: f.Destination, Payload: f.Payload, Tenant: f.Tenant, Key: f.Key}
	for at, to := range map[*time.Time]*time.Time{f.After: &out.After, f.Before: &out.Before} {
		if at == nil {
			continue
		}
		if at.IsZero() {
			return out, huma.Error422UnprocessableEntity("a time is zero: leave it out")
		}
		*to = *at
	}
	return out, checkFilter(driver.DeadFilter{Lane: f.Type, Error: f.Error, Group: f.Group, Destination: f.Destination, Tenant: f.Tenant, Key: f.Key, DiedAfter: out.After, DiedBefore: out.Before})
}

const jobsPath = "/api/v1/jobs"

// jobs registers what concerns jobs.
func (a *api) jobs(h huma.API) {
	operation(a, h, Viewer, http.MethodGet, jobsPath, "list-jobs", "List jobs, latest first", a.listJobs)
	operation(a, h, Viewer, http.MethodGet, jobsPath+"/{id}", "get-job", "Show one job and how far it has come", a.getJob)
	operation(a, h, Operator, http.MethodPost, jobsPath+"/{id}/cancel", "cancel-job", "Cancel a job; what it has done stays done", a.decide(job.Cancel))
	operation(a, h, Operator, http.MethodPost, jobsPath+"/{id}/consent", "allow-job", "Allow a job that waits for a second person", a.decide(job.Consent))
	for _, c := range []struct {
		action  job.Action
		role    Role
		summary string
	}{
		{job.Retry, Operator, "Start a job that puts dead letters back into the outbox, with the same ids and no attempts"},
		{job.Resolve, Operator, "Start a job that marks dead letters as resolved, which hides them"},
		{job.Delete, Admin, "Start a job that deletes dead letters for good"},
		{job.Note, Operator, "Start a job that puts its note on dead letters; an empty one removes theirs"},
		{job.Replay, Operator, "Start a job that delivers again events that were delivered and are still kept"},
		{job.Erase, Admin, "Start a job that erases payloads, headers and errors of the events of a tenant or an aggregate"},
	} {
		operation(a, h, c.role, http.MethodPost, jobsPath+"/"+string(c.action), "start-"+string(c.action), c.summary,
			func(ctx context.Context, in *jobInput) (*body[StartedJob], error) {
				return a.startJob(ctx, c.action, in)
			})
	}
}

type jobInput struct {
	Body struct {
		ID     string   `json:"id,omitempty" minLength:"26" maxLength:"26" doc:"The id of the job, a ULID that you make before the first try. If the answer is lost, send the same request again: it starts no second job and answers with the first. Default: a new id."`
		Filter *Filter  `json:"filter,omitempty" doc:"Rows must match all fields."`
		All    bool     `json:"all,omitempty" doc:"Instead of a filter: everything. Not for an erasure."`
		NewIDs bool     `json:"new_ids,omitempty" doc:"Replay only: write copies with new ids and the header outbox_replay_of. Otherwise events keep their ids, and consumers skip those that they had before."`
		Types  []string `json:"types,omitempty" maxItems:"1000" doc:"Replay by destination only: the types that a dry run answered. The job is refused with 409 if the destination stands for others now."`
		DryRun bool     `json:"dry_run,omitempty" doc:"Only count."`
		Rate   int      `json:"rate,omitempty" minimum:"0" maximum:"100000" doc:"Change at most this many rows per second. 0: no limit."`
		Note   string   `json:"note,omitempty" maxLength:"4000" doc:"For the audit log; of the action note, what to put on the letters."`
	}
}

// StartedJob is a job that was started, or only counted.
type StartedJob struct {
	Matches Count    `json:"matches" doc:"Rows that match now."`
	Types   []string `json:"types,omitempty" doc:"Replay by destination only: the event types that it stands for now, sorted."`
	AlsoTo  []string `json:"also_to,omitempty" doc:"Replay by destination only: other destinations that events of these types have now. What is replayed goes there too."`
	Job     *Job     `json:"job,omitempty" doc:"Absent on a dry run. It runs as soon as an instance claims it, or once a second person allows it: poll it until it has ended_at."`
}

func (a *api) startJob(ctx context.Context, action job.Action, in *jobInput) (*body[StartedJob], error) {
	b := &in.Body
	if err := checkText("note", b.Note); err != nil {
		return nil, err
	}
	spec := job.Spec{Action: action, ID: b.ID, All: b.All, Types: slices.Sorted(slices.Values(b.Types)), NewIDs: b.NewIDs, Rate: b.Rate, ConsentOver: a.ConsentOver}
	if (b.Filter == nil) != b.All {
		return nil, huma.Error400BadRequest("send one of filter and all")
	}
	if b.Filter != nil {
		var err error
		if spec.Filter, err = b.Filter.read(); err != nil {
			return nil, err
		}
		if _, err = a.matching(ctx, b.Filter.Payload); err != nil {
			return nil, err
		}
	}
	if b.DryRun {
		counted, err := CountJob(ctx, a.Store, spec)
		return &body[StartedJob]{counted}, err
	}
	j, err := job.Start(ctx, a.Store, spec, driver.Act{By: personOf(ctx).Name, Note: b.Note})
	if err != nil {
		return nil, err
	}
	shown := JobOf(j)
	return &body[StartedJob]{StartedJob{Matches: shown.Matches, Types: shown.Types, Job: &shown}}, nil
}

// CountJob returns what a job would change now.
func CountJob(ctx context.Context, s job.Store, spec job.Spec) (c StartedJob, err error) {
	route, err := job.RouteOf(ctx, s, spec)
	if err != nil {
		return c, err
	}
	spec.Types = route.Types // or Count refuses
	n, err := job.Count(ctx, s, spec)
	return StartedJob{Matches: Count(n), Types: route.Types, AlsoTo: route.Elsewhere}, err
}

type jobsInput struct {
	State  string `query:"state" enum:"waiting,running,done,failed,cancelled,expired"`
	Action string `query:"action" enum:"retry,resolve,delete,note,replay,erase"`
	Before string `query:"before" maxLength:"36" doc:"List the jobs before this one: the next of the previous page."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// JobPage is a page of jobs.
type JobPage struct {
	Jobs []Job  `json:"jobs"`
	Next string `json:"next,omitempty" doc:"The before of the next page. Absent on the last. With a filter, a page looks at 2,500 jobs, and may be short or empty and still have a next one."`
}

func (a *api) listJobs(ctx context.Context, in *jobsInput) (*body[JobPage], error) {
	if in.Before != "" && !isID(in.Before) {
		return nil, huma.Error422UnprocessableEntity("before is not the id of a job")
	}
	js, next, err := a.Store.ListJobs(ctx, driver.JobFilter{State: driver.JobState(in.State), Action: in.Action}, in.Before, in.Limit)
	if err != nil {
		return nil, err
	}
	return &body[JobPage]{JobPage{JobsOf(js), next}}, nil
}

var errNoJob = huma.Error404NotFound("no job has this id: it was deleted after it ended, or never existed")

func (a *api) getJob(ctx context.Context, in *idInput) (*body[Job], error) {
	if !isID(in.ID) {
		return nil, errNoJob
	}
	j, found, err := a.Store.GetJob(ctx, in.ID)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, errNoJob
	}
	return &body[Job]{JobOf(j)}, nil
}

type decideInput struct {
	ID   string `path:"id"`
	Body struct {
		Note string `json:"note,omitempty" maxLength:"4000" doc:"For the audit log."`
	}
}

func (a *api) decide(decision func(context.Context, job.Store, string, driver.Act) (driver.Job, error)) func(context.Context, *decideInput) (*body[Job], error) {
	return func(ctx context.Context, in *decideInput) (*body[Job], error) {
		if err := checkText("note", in.Body.Note); err != nil {
			return nil, err
		}
		if !isID(in.ID) {
			return nil, errNoJob
		}
		j, err := decision(ctx, a.Store, in.ID, driver.Act{By: personOf(ctx).Name, Note: in.Body.Note})
		switch {
		case errors.Is(err, job.ErrNotFound):
			return nil, errNoJob
		case errors.Is(err, job.ErrSame):
			return nil, huma.Error409Conflict("you started this job: ask somebody else to allow it")
		case errors.Is(err, job.ErrDecided):
			return nil, huma.Error409Conflict("the job is " + string(j.State) + ": there is nothing to decide")
		case err != nil:
			return nil, err
		}
		return &body[Job]{JobOf(j)}, nil
	}
}
