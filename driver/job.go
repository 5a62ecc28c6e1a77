package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// JobStore keeps jobs: changes to many rows that one process makes in batches,
// and that another continues if the first one ends. All times are by the
// database's clock. Package job uses it.
type JobStore interface {
	// AddJob adds a job. It uses ID, Action, Spec, Act, Matches and State, which
	// is [JobWaiting] or [JobRunning], and sets the other fields itself. If there is
	// a job with that id it changes nothing, and added is false: a call whose answer
	// was lost can be repeated.
	AddJob(ctx context.Context, j Job) (added bool, err error)
	// GetJob returns one job; found is false if there is none.
	GetJob(ctx context.Context, id string) (j Job, found bool, err error)
	// ListJobs lists at most limit jobs before the given one ("" for the latest),
	// latest first, and returns the job before which the next page starts, or ""
	// after the last. With a filter, ListJobs looks at a bounded number of jobs, so
	// a page may be short or empty and still have a next one.
	ListJobs(ctx context.Context, f JobFilter, before string, limit int) (jobs []Job, next string, err error)
	// ClaimJob claims, for lease, the running job with this id, or with "" the
	// earliest running job, unless somebody else holds it. The owner may claim
	// its job again. ClaimJob never waits for another instance.
	ClaimJob(ctx context.Context, id string, owner Owner, lease time.Duration) (j Job, found bool, err error)
	// StepJob records progress of a job, or returns [ErrJobLost].
	StepJob(ctx context.Context, s JobStep) error
	// DecideJob applies a person's decision: consent lets a waiting job run, and
	// cancel ends a job that has not ended. It returns the resulting job; changed
	// is false if the job's state does not allow the decision.
	DecideJob(ctx context.Context, id string, d JobDecision, a Act) (j Job, changed bool, err error)
	// SweepJobs ends jobs that nobody allowed in time, which become [JobExpired] with
	// the error [NobodyAllowed], and deletes jobs that ended long ago. It returns how
	// many it ended and deleted.
	SweepJobs(ctx context.Context, s JobSweep) (expired, deleted int, err error)
}

// JobFilter selects jobs. The zero value matches all.
type JobFilter struct {
	State  JobState // "" for any
	Action string   // "" for any
}

// JobSweep says which jobs a sweep takes.
type JobSweep struct {
	Waiting time.Duration // it ends those that have waited for consent this long
	Ended   time.Duration // it deletes those that ended this long ago
	Limit   int           // of each
}

// NobodyAllowed is the error of a job that has expired.
const NobodyAllowed = "nobody allowed it in time: start it again"

// ErrJobLost says that a job has ended, or that another process has claimed it,
// since the caller last saw it. Nothing was changed: claim it again, or drop it.
var ErrJobLost = errors.New("outbox: the job was cancelled, or another process has it")

// Job is a change to many rows. A store that is also an [AuditStore] logs who
// started, allowed and cancelled it, and how it ended.
type Job struct {
	ID     string // at most 36 characters; later ones are greater
	Action string // at most 32 characters
	// Spec says what to change, and Position how far the job has come. Both are
	// JSON that is opaque to the store, at most 60,000 bytes each.
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
	// Error says why it failed or expired; "" unless it did.
	Error     string
	CreatedAt time.Time
	ChangedAt time.Time
	EndedAt   time.Time // zero until it ends
}

// Started is the subject of the audit entry for the start of the job.
func (j *Job) Started() []string { return []string{j.ID, j.Action, string(j.Spec)} }

const appliedRows = "applied %d"

// Told is the subject of the audit entries that follow.
func (j *Job) Told() []string {
	return []string{j.ID, j.Action, string(j.State), fmt.Sprintf(appliedRows, j.Applied), fmt.Sprintf("conflicts %d", j.Conflicts), fmt.Sprintf("gone %d", j.Gone)}
}

// JobTally is what a job has done.
type JobTally struct {
	Applied   int64 // rows that it changed
	Conflicts int64 // rows left alone, because they conflict with what is in the outbox
	Gone      int64 // rows that somebody else changed first
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

// JobState is the state of a job.
type JobState string

// The states of jobs.
const (
	JobWaiting   JobState = "waiting" // for the consent of a second person
	JobRunning   JobState = "running" // or ready to, once somebody claims it
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
	JobExpired   JobState = "expired" // nobody allowed it in time
)

// Ended reports whether the state is final.
func (s JobState) Ended() bool { return s != JobWaiting && s != JobRunning }

// JobDecision is what a person decides about a job.
type JobDecision string

// The decisions.
const (
	JobConsent JobDecision = "consent"
	JobCancel  JobDecision = "cancel"
)

// State is the state of a job after the decision.
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

// JobStep is one step of a job, taken by its owner.
type JobStep struct {
	ID       string
	Turn     int64 // the job's, as the owner last saw it; a step raises it by one
	Position json.RawMessage
	JobTally // added to the job's tally, beside the results of the bulk call
	// Lease is how much longer the owner holds the job.
	Lease time.Duration
	// State is JobRunning, JobDone, or JobFailed with an Error.
	State JobState
	Error string
}

type stepKey struct{}

// WithStep returns a context that makes a bulk call a step of a job: a [JobStore]
// records the step and the call's results in the transaction of the call, or
// rolls the call back and returns [ErrJobLost].
func WithStep(ctx context.Context, s JobStep) context.Context {
	return context.WithValue(ctx, stepKey{}, s)
}

// StepOf returns the step that a context carries; ok is false if there is none.
func StepOf(ctx context.Context) (s JobStep, ok bool) {
	s, ok = ctx.Value(stepKey{}).(JobStep)
	return s, ok
}
