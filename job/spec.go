package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

// Action is what a job does.
type Action string

// The actions. The first four apply to unresolved dead letters.
const (
	Retry   Action = "retry"   // move them back to the outbox, as new events with the same ids
	Resolve Action = "resolve" // hide them
	Delete  Action = "delete"  // delete them for good
	Note    Action = "note"    // put the note of the job on them; an empty one removes theirs
	Replay  Action = "replay"  // deliver kept events again
	Erase   Action = "erase"   // blank the contents of delivered events and dead letters
)

// Spec says what a job changes.
type Spec struct {
	Action Action `json:"-"`
	// ID is the id of the job, as [outbox.NewID] makes it: choose one to be able to
	// repeat [Start]. Default: a new id.
	ID     string `json:"-"`
	Filter Filter `json:"filter"`
	// All allows an empty filter. An erasure always needs a filter.
	All bool `json:"all,omitempty"`
	// NewIDs makes a replay write copies with new ids and the header
	// outbox_replay_of. Default: events keep their ids, so that consumers skip
	// those that they had before.
	NewIDs bool `json:"new_ids,omitempty"`
	// Types are the event types that the destination of a replay stands for, as
	// [RouteOf] found them, sorted. [Start] keeps them with the job; if they are
	// set, it refuses with [ErrRerouted] unless it finds the same. Default: what
	// it finds.
	Types []string `json:"types,omitempty"`
	// Rate is how many rows the job changes per second at most. Between two batches it
	// also rests as long as the last one took, up to a second. Default: no limit.
	Rate int `json:"rate,omitempty"`
	// ConsentOver is how many rows may match without the consent of a second
	// person. Default: any number.
	ConsentOver int64 `json:"consent_over,omitempty"`
}

// Filter selects what a job changes. Texts match exactly unless noted; "" matches
// any.
type Filter struct {
	Type        string `json:"type,omitempty"`
	Error       string `json:"error,omitempty"`       // letters only: a part of the error
	Group       string `json:"group,omitempty"`       // letters only
	Destination string `json:"destination,omitempty"` // where letters were not delivered; for a replay see [RouteOf]
	Payload     string `json:"payload,omitempty"`     // letters only: see [dlq.ParsePayloadMatch]
	Tenant      string `json:"tenant,omitempty"`
	Key         string `json:"key,omitempty"` // the aggregate's id
	// After and Before bound when a letter died, or an event was written.
	After  time.Time `json:"after,omitzero"`
	Before time.Time `json:"before,omitzero"`
}

// ErrSpec says that a spec is invalid, and that no job was started.
var ErrSpec = errors.New("job: invalid spec")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrSpec}, args...)...)
}

// isULID matches what [outbox.NewID] makes. Jobs are listed in the order of their
// ids.
var isULID = regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)

// Validate reports what is wrong with the spec, as an [ErrSpec].
func (s *Spec) Validate() error {
	f := s.Filter
	onLetters := f.Error != "" || f.Group != "" || f.Payload != ""
	if _, err := dlq.ParsePayloadMatch(f.Payload); err != nil {
		return bad("%w", err)
	}
	switch s.Action {
	case Retry, Resolve, Delete, Note:
	case Replay:
		if onLetters {
			return bad("the outbox keeps no errors of delivered events: leave error, group and payload out")
		}
	case Erase:
		if f.Tenant == "" && f.Key == "" {
			return bad("an erasure needs a tenant or a key: say whose events to erase")
		}
		if onLetters || f.Destination != "" || f.Type != "" || !f.After.IsZero() || !f.Before.IsZero() {
			return bad("an erasure takes only a tenant and a key: leave the rest of the filter out")
		}
	default:
		return bad("unknown action %q: use %s, %s, %s, %s, %s or %s", s.Action, Retry, Resolve, Delete, Note, Replay, Erase)
	}
	if s.ID != "" && !isULID.MatchString(s.ID) {
		return bad("the id is not a ULID: make one, 26 digits and capitals such as 01M7KYSS57BTHAXT4Y24NXCHYH, or leave it out")
	}
	switch {
	case f == (Filter{}) && !s.All:
		return bad("the filter is empty and would match everything: set all if you mean that")
	case f != (Filter{}) && s.All:
		return bad("both all and a filter are set: leave one of them out")
	case s.NewIDs && s.Action != Replay:
		return bad("only a replay takes new ids: leave them out")
	case len(s.Types) > 0 && !s.routed():
		return bad("types go only with the destination of a replay: leave them out")
	case s.Rate < 0 || s.ConsentOver < 0:
		return bad("the rate and the bound for consent must not be negative: use 0 for no limit")
	}
	return nil
}

// answers reports whether a stored spec is what [Start] made of another one, which
// may have bounded the time.
func (s *Spec) answers(asked Spec) bool {
	is, was := s.Filter, asked.Filter
	bounded := was.Before.IsZero() || was.Before.After(is.Before) && !is.Before.IsZero()
	sameTimes := is.After.Equal(was.After) && (bounded || is.Before.Equal(was.Before))
	is.After, is.Before, was.After, was.Before = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	return sameTimes && is == was && s.Action == asked.Action && s.NewIDs == asked.NewIDs && s.Rate == asked.Rate &&
		(len(asked.Types) == 0 || slices.Equal(s.Types, asked.Types))
}

// letters is the filter for dead letters.
func (f Filter) letters() driver.DeadFilter {
	return driver.DeadFilter{
		Lane: f.Type, Error: f.Error, Group: f.Group, Destination: f.Destination, Tenant: f.Tenant, Key: f.Key,
		DiedAfter: f.After, DiedBefore: f.Before,
	}
}

// resolved is the filter for resolved letters, which only an erasure changes.
func (f Filter) resolved() driver.DeadFilter {
	d := f.letters()
	d.Resolved, d.Unerased = true, true
	return d
}

// events is the filter for events. Of erased ones nothing is left to erase or replay.
func (f Filter) events(status driver.EventStatus) driver.EventFilter {
	return driver.EventFilter{Unerased: true, Lane: f.Type, Tenant: f.Tenant, Key: f.Key, Status: status, WrittenAfter: f.After, WrittenBefore: f.Before}
}

// SpecOf reads the spec of a stored job. It refuses fields that it does not know:
// a job that ignored a condition of a later version would change too much.
func SpecOf(j driver.Job) (Spec, error) {
	s := Spec{Action: Action(j.Action)}
	d := json.NewDecoder(bytes.NewReader(j.Spec))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, fmt.Errorf("job: this version cannot read the stored spec: %w", err)
	}
	if err := s.Validate(); err != nil {
		return s, err
	}
	if s.routed() && len(s.Types) == 0 {
		return s, errors.New("job: the stored spec has a destination without its types")
	}
	return s, nil
}
