package admin

import (
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Letter is a dead letter on the wire.
type Letter struct {
	ID            string            `json:"id"`
	Type          string            `json:"type"`
	AggregateType string            `json:"aggregate_type,omitempty"`
	AggregateID   string            `json:"aggregate_id,omitempty"`
	TenantID      string            `json:"tenant_id,omitempty"`
	Attempts      int               `json:"attempts"`
	Error         string            `json:"error"`
	Class         string            `json:"class,omitempty" doc:"What kind of error it is: failed, permanent, unavailable, timeout, cancelled, panic, goexit, crash, unroutable or unreadable. Of an attempt also earlier: before it went back to the outbox. Absent without a history."`
	Delivered     driver.Delivered  `json:"delivered" enum:"no,maybe" doc:"No: it was certainly not delivered. Maybe: an answer was lost, and its consumer may have it."`
	Group         string            `json:"group,omitempty" doc:"The id of its group. Absent for some seconds after its death."`
	Destination   string            `json:"destination,omitempty" doc:"Where it was not delivered. Absent with the group."`
	CreatedAt     time.Time         `json:"created_at"`
	DiedAt        time.Time         `json:"died_at"`
	ResolvedAt    *time.Time        `json:"resolved_at" doc:"Null: it is open."`
	Note          string            `json:"note,omitempty" doc:"What a person wrote about it."`
	NotedBy       string            `json:"noted_by,omitempty"`
	NotedAt       *time.Time        `json:"noted_at,omitempty"`
	CorrelationID string            `json:"correlation_id,omitempty"`
	TraceID       string            `json:"trace_id,omitempty"`
	Unreadable    string            `json:"unreadable,omitempty" doc:"Why a part of the row is missing here."`
	Headers       map[string]string `json:"headers,omitempty"`
	Payload       string            `json:"payload,omitempty" doc:"The text of a payload that is JSON."`
	PayloadBytes  *[]byte           `json:"payload_bytes,omitempty" doc:"A payload that is not JSON."`
	Failures      []Failure         `json:"failures,omitempty" doc:"The last ten attempts, and others whose answer was lost."`
	Earlier       []EarlierLetter   `json:"earlier,omitempty" doc:"Earlier letters of this id, latest first, at most ten: the original of an edit whose event died again, and what was resolved before. Absent in lists."`
}

// EarlierLetter is what an event died with before it was edited, or before its id
// died again.
type EarlierLetter struct {
	DiedAt       time.Time         `json:"died_at"`
	ResolvedAt   *time.Time        `json:"resolved_at" doc:"When it was edited or resolved. Null: it is open."`
	Attempts     int               `json:"attempts"`
	Error        string            `json:"error"`
	Note         string            `json:"note,omitempty" doc:"What a person wrote about it."`
	NotedBy      string            `json:"noted_by,omitempty"`
	Unreadable   string            `json:"unreadable,omitempty" doc:"Why a part of the row is missing here."`
	Headers      map[string]string `json:"headers,omitempty"`
	Payload      string            `json:"payload,omitempty" doc:"The text of a payload that is JSON."`
	PayloadBytes *[]byte           `json:"payload_bytes,omitempty" doc:"A payload that is not JSON."`
}

// MaxEarlier is how many earlier letters are shown with one.
const MaxEarlier = 10

// EarlierOf returns a part of an earlier letter as it goes over the wire.
func EarlierOf(l *driver.DeadLetter, part Part) EarlierLetter {
	o := LetterOf(l, part)
	return EarlierLetter{o.DiedAt, o.ResolvedAt, o.Attempts, o.Error, o.Note, o.NotedBy, o.Unreadable, o.Headers, o.Payload, o.PayloadBytes}
}

// Failure is a failed attempt on the wire.
type Failure struct {
	Attempt     int       `json:"attempt" doc:"1 for the first; 0 for one that was not counted."`
	At          time.Time `json:"at"`
	Seconds     float64   `json:"seconds" doc:"How long it took."`
	Relay       string    `json:"relay"`
	Destination string    `json:"destination,omitempty"`
	Error       string    `json:"error"`
	Class       string    `json:"class,omitempty" doc:"As of the letter."`
	Maybe       bool      `json:"maybe,omitempty" doc:"The event may have been delivered all the same: the answer was lost."`
	MaybeBefore bool      `json:"maybe_before,omitempty" doc:"So may it before, in an attempt that is not in the list."`
}

// Part is how much of a letter is shown.
type Part int

// The parts. Each has what those before it have.
const (
	Summary Part = iota // what a list shows
	History             // the attempts
	Whole               // payload and headers
)

// LetterOf returns a part of a letter as it goes over the wire.
func LetterOf(l *driver.DeadLetter, part Part) Letter {
	e := &l.Event
	o := Letter{ID: e.ID, Type: e.Type, AggregateType: e.AggregateType, AggregateID: e.AggregateID, TenantID: e.TenantID,
		Attempts: l.Attempts, Error: l.Error, Class: string(l.Class()), Delivered: l.Delivered(), Group: l.Group, Destination: l.Destination, CreatedAt: encodable(l.CreatedAt), DiedAt: encodable(l.DiedAt), CorrelationID: e.CorrelationID, TraceID: driver.TraceIDOf(e)}
	if l.Problem != nil {
		o.Unreadable = l.Problem.Error()
	}
	o.ResolvedAt = optional(l.ResolvedAt)
	o.Note, o.NotedBy, o.NotedAt = l.Note, l.NotedBy, optional(l.NotedAt)
	if part >= History {
		o.Failures = failuresOf(l.Failures)
	}
	if part >= Whole {
		o.Headers = e.Headers
		o.Payload, o.PayloadBytes = payload(e)
	}
	return o
}

func failuresOf(fs []driver.Failure) (out []Failure) {
	for _, f := range fs {
		out = append(out, Failure{f.Attempt, encodable(f.At), f.Took.Seconds(), string(f.Owner), f.Destination, f.Error, string(f.Class), f.Maybe, f.MaybeBefore})
	}
	return out
}

// payload is the text of a payload that is JSON, or else its bytes, which may be
// none: null would look like a payload that is hidden.
func payload(e *outbox.Event) (string, *[]byte) {
	if e.JSON != nil {
		return string(e.JSON), nil
	}
	if e.Bytes == nil {
		return "", &[]byte{}
	}
	return "", &e.Bytes
}

// optional is nil for the zero time.
func optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = encodable(t)
	return &t
}

// encodable moves a time that JSON cannot express to the nearest one that it
// can: other programs may write any time.
func encodable(t time.Time) time.Time {
	switch year := t.UTC().Year(); {
	case year < 1:
		return time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	case year > 9998: // in any zone
		return time.Date(9998, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return t
}
