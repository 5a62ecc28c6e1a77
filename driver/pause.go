package driver

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/sendoff-go/outbox"
)

// ControlStore keeps what people have paused.
type ControlStore interface {
	// Paused lists what is paused, by kind and name.
	Paused(ctx context.Context) ([]Pause, error)
	// SetPaused pauses or resumes, and records who did it. Pausing again keeps
	// who paused first, and since when. It refuses what fails [Pausable.Check].
	SetPaused(ctx context.Context, what Pausable, paused bool, by string) error
}

// Pausable is what can be paused. A lane and a destination may have the same
// name.
type Pausable struct {
	Kind PauseKind
	// Name is an event type, or "*" for all of them; or the name of a
	// destination, as [github.com/sendoff-go/outbox.Target.Name] returns it: at
	// most [MaxDestinationName] characters.
	Name string
}

// PauseKind is the kind of what can be paused.
type PauseKind string

// The kinds.
const (
	LanePause        PauseKind = "lane"
	DestinationPause PauseKind = "destination"
)

// MaxDestinationName is the length, in characters, of the longest name of a
// destination that can be paused.
const MaxDestinationName = 512

// PausableLane is an event type, or "*" for all of them.
func PausableLane(eventType string) Pausable { return Pausable{LanePause, eventType} }

// PausableDestination is a destination.
func PausableDestination(name string) Pausable { return Pausable{DestinationPause, name} }

// Check returns an error if nothing of this kind can have this name.
func (p Pausable) Check() error {
	kind, limit := "type", outbox.MaxTypeLength
	switch p.Kind {
	case LanePause:
	case DestinationPause:
		kind, limit = "destination", MaxDestinationName
	default:
		return fmt.Errorf("%q cannot be paused: pause a lane or a destination", p.Kind)
	}
	if p.Name == "" || utf8.RuneCountInString(p.Name) > limit || CleanText(p.Name, limit) != p.Name {
		return fmt.Errorf("the name of a %s has 1 to %d characters of valid UTF-8, without NUL", kind, limit)
	}
	return nil
}

// Action is what the audit log calls pausing or resuming it.
func (p Pausable) Action(paused bool) AuditAction {
	switch {
	case p.Kind == DestinationPause && paused:
		return AuditPauseDestination
	case p.Kind == DestinationPause:
		return AuditResumeDestination
	case paused:
		return AuditPause
	default:
		return AuditResume
	}
}

// Pause says what is paused, by whom and since when.
type Pause struct {
	Pausable
	By string
	At time.Time // by the database's clock
}

// Pauses returns the names of what is paused, of one kind.
func Pauses(all []Pause, kind PauseKind) (names []string) {
	for _, p := range all {
		if p.Kind == kind {
			names = append(names, p.Name)
		}
	}
	return names
}

// LanePaused reports whether a lane is among what is paused, or all lanes are.
func LanePaused(all []Pause, lane string) bool {
	for _, p := range all {
		if p.Kind == LanePause && (p.Name == lane || p.Name == "*") {
			return true
		}
	}
	return false
}
