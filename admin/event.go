package admin

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Event is an event of the outbox on the wire.
type Event struct {
	ID            string             `json:"id"`
	Type          string             `json:"type"`
	Seq           int64              `json:"seq" doc:"The order of writing."`
	Status        driver.EventStatus `json:"status" enum:"waiting,held,done,dead" doc:"Dead: another program marked it so, and it becomes a dead letter."`
	AggregateType string             `json:"aggregate_type,omitempty"`
	AggregateID   string             `json:"aggregate_id,omitempty"`
	TenantID      string             `json:"tenant_id,omitempty"`
	Attempts      int                `json:"attempts" doc:"Failed attempts so far."`
	Error         string             `json:"error,omitempty" doc:"Of the last failed attempt."`
	Delivered     driver.Delivered   `json:"delivered" enum:"no,maybe,yes" doc:"Maybe: a relay is working on it or has disappeared, or an answer was lost, so its consumer may have it."`
	CreatedAt     time.Time          `json:"created_at"`
	AvailableAt   time.Time          `json:"available_at" doc:"Not delivered before this time."`
	DoneAt        *time.Time         `json:"done_at" doc:"Null: not delivered yet."`
	LockedBy      string             `json:"locked_by,omitempty" doc:"The relay that holds it."`
	LockedUntil   *time.Time         `json:"locked_until,omitempty"`
	CorrelationID string             `json:"correlation_id,omitempty"`
	TraceID       string             `json:"trace_id,omitempty"`
	Unreadable    string             `json:"unreadable,omitempty" doc:"Why a part of the row is missing here."`
	Headers       map[string]string  `json:"headers,omitempty"`
	Payload       string             `json:"payload,omitempty" doc:"The text of a payload that is JSON."`
	PayloadBytes  *[]byte            `json:"payload_bytes,omitempty" doc:"A payload that is not JSON."`
	Failures      []Failure          `json:"failures,omitempty" doc:"The last ten failed attempts, and others whose answer was lost."`
}

// EventOf returns a part of an event as it goes over the wire.
func EventOf(s *driver.StoredEvent, part Part) Event {
	e := &s.Event
	o := Event{ID: e.ID, Type: e.Type, Seq: s.Seq, Status: s.Status, AggregateType: e.AggregateType, AggregateID: e.AggregateID,
		TenantID: e.TenantID, Attempts: s.Attempts, Error: s.Error, Delivered: s.Delivered(), CreatedAt: encodable(s.CreatedAt), AvailableAt: encodable(s.AvailableAt),
		DoneAt: optional(s.DoneAt), LockedBy: string(s.LockedBy), LockedUntil: optional(s.LockedUntil), CorrelationID: e.CorrelationID, TraceID: driver.TraceIDOf(e)}
	if s.Problem != nil {
		o.Unreadable = s.Problem.Error()
	}
	if part >= History {
		o.Failures = failuresOf(s.Failures)
	}
	if part >= Whole {
		o.Headers = e.Headers
		o.Payload, o.PayloadBytes = payload(e)
	}
	return o
}
