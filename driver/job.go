package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// JobStore keeps jobs: changes of many rows that one process makes in batches,
// and another one goes on with if it ends. All times are by the database's clock.
// Package job uses it.
type JobStore interface {
	// AddJob adds a job, of which it takes ID, Action, Spec, Act, Matches and
	// State, either [JobWaiting] or [JobRunning].
	AddJob(ctx context.Context, j Job) error
	// GetJob returns one job; found is false if there is none.
	GetJob(ctx context.Context, id string) (j Job, found bool, err error)
	// ListJobs lists at most limit jobs before the given one ("" for the latest),
	// latest first.
	ListJobs(ctx context.Context, before string, limit int) ([]Job, error)
	// ClaimJob takes the running job of that id, or the earliest one ("" for
	// any), that nobody else holds, for lease. Its owner may take it again. It
	// waits for no other instance.
	ClaimJob(ctx context.Context, id string, owner Owner, lease time.Duration) (j Job, found bool, err error)
	// StepJob notes what was done for a job, or returns [ErrJobLost].
	StepJob(ctx context.Context, s JobStep) error
	// DecideJob is a person's consent to a waiting job, which then runs, or the
	// end of one that has not ended. It returns the job as it is then; changed is
	// false if the decision does not fit its state.
	DecideJob(ctx context.Context, id string, d JobDecision, a Act) (j Job, changed bool, err error)
	// SweepJobs deletes at most limit jobs that ended longer than age ago.
	SweepJobs(ctx context.Context, age time.Duration, limit int) (int, error)
}

// ErrJobLost says that a job was taken by another process, or ended, since the
// caller saw it. Nothing was changed: claim it again, or leave it.
var ErrJobLost = errors.New("outbox: the job was cancelled, or another process has it")

// Job is a change of many rows. A store that is an [AuditStore] writes who
// started, allowed and cancelled it, and how it ended, to its log.
type Job struct {
	ID     string // at most 36 characters; later ones are greater
	Action string // at most 32 characters
	// Spec says what to change, and Position where the job is. They are JSON that
	// the store does not look into, up to 60,000 bytes each.
	Spec, Position json.RawMessage
	Act            // who started it
	// Matches is how many rows matched when it was started.
	Matches Count
	State   JobState
	// Turn is the number of the last change of the job: its fence.
	Turn int64
	// Owner runs it until HeldUntil; "" for nobody.
	Owner     Owner
	HeldUntil time.Time
	JobTally
	// DecidedBy allowed or cancelled it; "" for nobody.
	DecidedBy string
	// Error is the one with which it failed.
	Error     string
	CreatedAt time.Time
	ChangedAt time.Time
	EndedAt   time.Time // zero until it ends
}

// Started is the subject of the audit entry for the start of the job.
func (j *Job) Started() []string { return []string{j.ID, j.Action, string(j.Spec)} }

// Told is the subject of the audit entries that follow.
func (j *Job) Told() []string {
	return []string{j.ID, j.Action, string(j.State), fmt.Sprintf("applied %d", j.Applied), fmt.Sprintf("conflicts %d", j.Conflicts), fmt.Sprintf("gone %d", j.Gone)}
}

// JobTally is what a job has done.
type JobTally struct {
	Applied   int64 // rows that it changed
	Conflicts int64 // left, because of what the outbox has
	Gone      int64 // somebody else was faster
}

// Count adds the results of a bulk call.
func (t *JobTally) Count(results []DeadResult) {
	for _, r := range results {
		switch r.Status {
		case DeadApplied:
			t.Applied++
		case DeadConflict:
			t.Conflicts++
		case DeadNotFound:
			t.Gone++
		}
	}
}

// Add adds another tally.
func (t *JobTally) Add(o JobTally) {
	t.Applied, t.Conflicts, t.Gone = t.Applied+o.Applied, t.Conflicts+o.Conflicts, t.Gone+o.Gone
}

// JobState is what becomes of a job.
type JobState string

// The states of jobs.
const (
	JobWaiting   JobState = "waiting" // for the consent of a second person
	JobRunning   JobState = "running" // or about to, once somebody claims it
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Ended reports whether nothing more becomes of the job.
func (s JobState) Ended() bool { return s == JobDone || s == JobFailed || s == JobCancelled }

// JobDecision is what a person decides about a job.
type JobDecision string

// The decisions.
const (
	JobConsent JobDecision = "consent"
	JobCancel  JobDecision = "cancel"
)

// State is that of a job after the decision.
func (d JobDecision) State() JobState {
	if d == JobConsent {
		return JobRunning
	}
	return JobCancelled
}

// Audit is the action of its audit entry.
func (d JobDecision) Audit() AuditAction {
	if d == JobConsent {
		return AuditConsent
	}
	return AuditCancel
}

// JobStep is one step of a job by its owner.
type JobStep struct {
	ID       string
	Turn     int64 // the job's, as the owner saw it last; a step raises it by one
	Position json.RawMessage
	JobTally // what to add, to the results of the call that has the step
	// Lease is for how long the owner goes on holding it.
	Lease time.Duration
	// State is JobRunning, JobDone or JobFailed with an Error.
	State JobState
	Error string
}

type stepKey struct{}

// WithStep returns a context whose bulk call is a step of a job: a [JobStore]
// notes it in the transaction of the call and adds the call's results, or rolls
// the call back with [ErrJobLost].
func WithStep(ctx context.Context, s JobStep) context.Context {
	return context.WithValue(ctx, stepKey{}, s)
}

// StepOf returns the step of a context; ok is false if it has none.
func StepOf(ctx context.Context) (s JobStep, ok bool) {
	s, ok = ctx.Value(stepKey{}).(JobStep)
	return s, ok
}
