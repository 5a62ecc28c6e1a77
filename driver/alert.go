package driver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// AlertStore keeps the alerts of an outbox, so that only one of several processes
// that watch it notifies people. All times are by the database's clock. Package
// alert uses it.
type AlertStore interface {
	// SeeAlerts raises an alert for each sighting that has no open one, marks the
	// others as still seen, and resolves open alerts that no process has seen for
	// quiet: each process may see different ones.
	SeeAlerts(ctx context.Context, seen []Sighting, quiet time.Duration) error
	// DueAlerts claims at most limit alerts that people should hear about: open
	// alerts that are not muted, and resolved ones that somebody was told about.
	// During lease nobody else gets them; after that they are due again unless
	// ToldAlerts was called. DueAlerts never waits for another instance.
	DueAlerts(ctx context.Context, lease time.Duration, limit int) ([]Alert, error)
	// ToldAlerts records that people were told about alerts that DueAlerts
	// returned. Open ones are due again after repeat. One that was raised or
	// resolved since, or claimed by another process, stays due.
	ToldAlerts(ctx context.Context, told []Alert, repeat time.Duration) error
	// ListAlerts lists at most limit alerts: first the open ones, then the
	// resolved ones, each latest raised first.
	ListAlerts(ctx context.Context, f AlertFilter, limit int) ([]Alert, error)
	// MuteAlert mutes an alert until a time, even if it is raised again; the zero
	// time unmutes it. found is false if there is no such alert. A store that is
	// also an [AuditStore] logs it.
	MuteAlert(ctx context.Context, id string, m AlertMute) (found bool, err error)
	// SweepAlerts deletes at most limit alerts that were resolved longer than age
	// ago and are not muted.
	SweepAlerts(ctx context.Context, age time.Duration, limit int) (int, error)
}

// AlertFilter selects alerts. The zero value matches all.
type AlertFilter struct {
	State AlertState // "" for any
	Rule  string     // exact; "" for any
}

// AlertState is what a filter knows about alerts.
type AlertState string

// The states of alerts. A muted one is open or resolved, too.
const (
	AlertOpen     AlertState = "open"
	AlertResolved AlertState = "resolved"
	AlertMuted    AlertState = "muted" // now, by the database's clock
)

// Sighting is a problem that exists now.
type Sighting struct {
	Rule     string // at most 32 characters
	Subject  string // what breaks the rule, such as a lane; at most 255 characters, may be empty
	Severity Severity
	Text     string // for people; at most 4000 characters
}

// ID returns the id of the sighting's alert: 16 hexadecimal digits, derived from
// rule and subject.
func (s Sighting) ID() string {
	sum := sha256.Sum256([]byte(s.Rule + "\x00" + s.Subject))
	return hex.EncodeToString(sum[:8])
}

// Severity is how bad a problem is.
type Severity string

// The severities. A critical alert means that nothing, or nothing of its kind,
// is delivered.
const (
	SeverityWarning  Severity = "warning"
	SeverityCritical Severity = "critical"
)

// Alert is a problem that exists or existed.
type Alert struct {
	ID string
	Sighting
	RaisedAt   time.Time
	SeenAt     time.Time
	ResolvedAt time.Time // zero while it is open
	// NotifiedAt is when the last notification since the alert was raised began;
	// zero: none did.
	NotifiedAt time.Time
	// Notices is how often people were told since it was raised.
	Notices int
	// Turn is the number of the claim by which DueAlerts returned it.
	Turn int64
	AlertMute
}

// Open reports whether the problem still exists.
func (a Alert) Open() bool { return a.ResolvedAt.IsZero() }

// AlertMute is what a person says about an alert.
type AlertMute struct {
	MutedUntil time.Time // zero: not muted
	By         string    // at most 255 characters
	Note       string    // at most 4000 characters
	MarkedAt   time.Time // set by the store
}
