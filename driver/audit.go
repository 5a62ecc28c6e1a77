package driver

import (
	"context"
	"fmt"
	"time"
)

// Act says who does something, and why. Pass it with [WithAct].
type Act struct {
	By   string // a person, or the name of a token; at most 255 characters
	Note string // in the person's own words, at most 4000 characters; may be empty
}

type actKey struct{}

// WithAct returns a context whose calls are a person's. An [AuditStore] writes
// what they change to its audit log.
func WithAct(ctx context.Context, a Act) context.Context { return context.WithValue(ctx, actKey{}, a) }

// ActOf returns the act of a context; ok is false if it has none, or one
// without a name.
func ActOf(ctx context.Context) (a Act, ok bool) {
	a, _ = ctx.Value(actKey{}).(Act)
	return a, a.By != ""
}

// AuditStore keeps what people changed. The entry of a change is written in its
// transaction, so that neither exists without the other. There is one for each
// call of [DeadLetterStore] with an [Act] that changed a letter, and one for
// each [GroupStore.MarkGroup], [AlertStore.MuteAlert] and
// [ControlStore.SetPaused], and for the start, each decision and the end of a [Job].
type AuditStore interface {
	// ListAudit lists at most limit entries before the given one (0: from the
	// latest), latest first, and returns the entry before which the next page
	// starts, or 0 after the last. With a filter, ListAudit looks at a bounded
	// number of entries, so a page may be short or empty and still have a next one.
	ListAudit(ctx context.Context, f AuditFilter, before int64, limit int) (entries []AuditEntry, next int64, err error)
	// SweepAudit deletes entries older than age. It looks at no more than limit
	// of them, the earliest, or at more if other sessions have locked some.
	SweepAudit(ctx context.Context, age time.Duration, limit int) (int, error)
}

// AuditFilter selects entries. The zero value matches all. There is no index for
// it, since every change would pay for that.
type AuditFilter struct {
	By     string      // exact; "" for anybody
	Action AuditAction // "" for any
	// Job is the id of a job: its start and end, the decisions about it, and the
	// changes of its batches; "" for any.
	Job string
	// After and Before bound the time of the change; zero: no bound.
	After, Before time.Time
}

// AuditEntry is one change.
type AuditEntry struct {
	ID int64     // grows with time
	At time.Time // by the database's clock
	Act
	Action AuditAction
	// Job is the id of the job that the entry is about, or whose batch made the
	// change: the call had a [JobStep]. "" if a person made it at once.
	Job string
	// Subjects are the ids of the letters or events that it was applied to, the
	// group, the alert, the lane, or the destination; or the id of a job, what it does and to what,
	// at its end its state and tally.
	Subjects []string
}

// Rows is how many letters or events it changed. The start of a job and what
// people decide about it change none; its end tells all that it changed.
func (e *AuditEntry) Rows() int64 {
	switch e.Action {
	case AuditRetry, AuditReplay, AuditEdit, AuditResolve, AuditDelete, AuditNote, AuditErase:
		return int64(len(e.Subjects))
	case AuditJobEnd:
		for _, s := range e.Subjects {
			var n int64
			if _, err := fmt.Sscanf(s, appliedRows, &n); err == nil {
				return n
			}
		}
	}
	return 0
}

// AuditAction is what a person did.
type AuditAction string

// The actions of stores.
const (
	AuditRetry   AuditAction = "retry"  // letters
	AuditReplay  AuditAction = "replay" // delivered events
	AuditEdit    AuditAction = "edit"
	AuditResolve AuditAction = "resolve"
	AuditDelete  AuditAction = "delete"
	AuditPause   AuditAction = "pause"  // a lane
	AuditResume  AuditAction = "resume" // a lane
	AuditMark    AuditAction = "mark"   // a group
	AuditMute    AuditAction = "mute"   // an alert
	AuditUnmute  AuditAction = "unmute"
	AuditNote    AuditAction = "note" // on letters
	AuditErase   AuditAction = "erase"
	AuditJob     AuditAction = "job"
	AuditConsent AuditAction = "consent"
	AuditCancel  AuditAction = "cancel"
	AuditJobEnd  AuditAction = "job end"

	AuditPauseDestination  AuditAction = "pause-destination"
	AuditResumeDestination AuditAction = "resume-destination"
)
