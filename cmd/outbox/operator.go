package main

import (
	"context"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

// operator is what commands can do with an outbox, on its database ([direct]) or
// through its API ([apiclient.Remote]). Both return the types of the API, so that
// commands print the same.
type operator interface {
	// Name returns the name of the database or the server, for people.
	Name(ctx context.Context) string
	Status(ctx context.Context) (admin.Status, error)
	// SetPaused pauses or resumes, each in a transaction of its own, and returns
	// everything that is paused after that.
	SetPaused(ctx context.Context, what []driver.Pausable, paused bool, act driver.Act) ([]driver.Pausable, error)

	// Letters and CountLetters take a condition on payloads, as
	// [dlq.ParsePayloadMatch] reads it.
	Letters(ctx context.Context, f driver.DeadFilter, payload string, limit int) ([]admin.Letter, error)
	CountLetters(ctx context.Context, f driver.DeadFilter, payload string) (admin.Count, error)
	Letter(ctx context.Context, id string) (l admin.Letter, found bool, err error)
	Apply(ctx context.Context, a dlq.Action, act driver.Act, ids []string) ([]admin.Result, error)
	Edit(ctx context.Context, act driver.Act, id string, change func(*driver.DeadEdit) error) error
	Groups(ctx context.Context, f driver.GroupFilter, limit int) ([]admin.Group, error)
	// MarkGroup returns the group as it is after that.
	MarkGroup(ctx context.Context, id string, m driver.GroupMark) (g admin.Group, found bool, err error)

	// Events and LatestEvents take a condition on payloads too, and whether to show
	// payloads.
	Events(ctx context.Context, f driver.EventFilter, payload string, payloads bool, limit int) ([]admin.Event, error)
	// LatestEvents looks at a bounded number of events, and reports whether there may
	// be more.
	LatestEvents(ctx context.Context, f driver.EventFilter, payload string, payloads bool, limit int) (es []admin.Event, more bool, err error)
	Event(ctx context.Context, id string) (e admin.Event, found bool, err error)

	Alerts(ctx context.Context, f driver.AlertFilter, limit int) ([]admin.Alert, error)
	MuteAlert(ctx context.Context, id string, m driver.AlertMute) (found bool, err error)
	Audit(ctx context.Context, f driver.AuditFilter, limit int) ([]admin.AuditEntry, error)

	Jobs(ctx context.Context, f driver.JobFilter, limit int) ([]admin.Job, error)
	Job(ctx context.Context, id string) (j admin.Job, found bool, err error)
	// CountJob returns what a job would change now, without a job.
	CountJob(ctx context.Context, spec job.Spec) (admin.StartedJob, error)
	StartJob(ctx context.Context, spec job.Spec, act driver.Act) (admin.Job, error)
	// RunJob runs a job to its end, or watches whoever does.
	RunJob(ctx context.Context, id string, progress func(admin.Job)) (admin.Job, error)
	Cancel(ctx context.Context, id string, act driver.Act) (admin.Job, error)
	Consent(ctx context.Context, id string, act driver.Act) (admin.Job, error)

	// Problem adds what to do to an error of the calls above; nil stays nil.
	Problem(doing string, err error) error
	Close() error
}
