package sqlstore

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// eventColumns are the columns that claims and dead letters have in common, in
// the order in which every statement returns them.
type eventColumns struct {
	held           driver.Held
	eventType      string
	aggregateType  text
	aggregateID    text
	tenantID       text
	correlationID  text
	traceID        text
	payload, bytes data
	headers        data
}

func (c *eventColumns) fields(more ...any) []any {
	return append([]any{
		&c.held.EventID, &c.held.Seq, &c.held.ClaimNo, &c.eventType, &c.aggregateType, &c.aggregateID,
		&c.tenantID, &c.correlationID, &c.traceID, &c.payload, &c.bytes, &c.headers,
	}, more...)
}

var (
	errNoPayload    = errors.New("the row has no payload: neither payload nor payload_bytes is set")
	errTwoPayloads  = errors.New("the row has two payloads: both payload and payload_bytes are set")
	errNotJSON      = errors.New("payload is not valid JSON")
	errEmptyPayload = errors.New("payload is empty text, which is not JSON")
)

// event is what the columns say, and what of them cannot be read. Other
// programs INSERT into the table too, so nothing is taken for granted.
func (c *eventColumns) event(checkJSON bool) (outbox.Event, error) {
	e := outbox.Event{
		ID:            c.held.EventID,
		Type:          c.eventType,
		AggregateType: cmp.Or(string(c.aggregateType), outbox.GlobalAggregate),
		AggregateID:   string(c.aggregateID),
		TenantID:      string(c.tenantID),
		CorrelationID: string(c.correlationID),
		TraceID:       string(c.traceID),
		JSON:          json.RawMessage(c.payload),
		Bytes:         c.bytes,
	}
	headers, err := driver.DecodeHeaders(c.headers)
	e.Headers = headers
	switch {
	case err != nil:
	case e.JSON == nil && e.Bytes == nil:
		err = errNoPayload
	case e.JSON != nil && e.Bytes != nil:
		err = errTwoPayloads
	case e.JSON != nil && len(e.JSON) == 0:
		err = errEmptyPayload
	case checkJSON && e.JSON != nil && !json.Valid(e.JSON):
		err = errNotJSON
	}
	return e, err
}

// scanClaimed reads one row of claim.sql.
func (s *Session) scanClaimed(rows *sql.Rows) (driver.Claimed, error) {
	var cols eventColumns
	var c driver.Claimed
	var available, occurred, created moment
	var failures data
	if err := rows.Scan(cols.fields(&c.Attempts, &c.Recovered, &available, &occurred, &created, &failures)...); err != nil {
		return driver.Claimed{}, err
	}
	c.Event, c.Problem = cols.event(!s.Dialect.ChecksJSON)
	c.Held = cols.held
	c.Event.OccurredAt = occurredAt(occurred, created)
	c.CreatedAt = created.Time
	c.Position = driver.Position{AvailableAt: available.Time, Seq: cols.held.Seq}
	c.Failures = json.RawMessage(failures)
	return c, nil
}

// occurredAt: other programs may leave it out.
func occurredAt(occurred, created moment) time.Time {
	if occurred.IsZero() {
		return created.Time
	}
	return occurred.Time
}

// scanLetter reads one row of dlq_list.sql and dlq_get.sql.
func (s *Session) scanLetter(rows *sql.Rows) (driver.DeadLetter, error) {
	var cols eventColumns
	var l driver.DeadLetter
	var reason text
	var failures data
	var occurred, created, died, resolved moment
	if err := rows.Scan(cols.fields(&l.Attempts, &reason, &failures, &occurred, &created, &died, &resolved)...); err != nil {
		return driver.DeadLetter{}, err
	}
	l.Event, l.Problem = cols.event(!s.Dialect.ChecksJSON)
	l.Held = cols.held
	l.Event.OccurredAt = occurredAt(occurred, created)
	l.Error = string(reason)
	l.Failures = driver.ParseFailures(json.RawMessage(failures))
	l.CreatedAt, l.DiedAt, l.ResolvedAt = created.Time, died.Time, resolved.Time
	return l, nil
}

// scanHeld reads what names one claim.
func scanHeld(rows *sql.Rows) (h driver.Held, err error) {
	return h, rows.Scan(&h.EventID, &h.Seq, &h.ClaimNo)
}

func scanID(rows *sql.Rows) (id string, err error) { return id, rows.Scan(&id) }
