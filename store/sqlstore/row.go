package sqlstore

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
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

var errNotJSON = errors.New("payload is not valid JSON")

// event returns the event in the columns, and an error for what cannot be read.
// Other programs INSERT into the table too, so nothing is taken for granted.
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
	if err == nil {
		err = stored.Problem(&e)
	}
	if err == nil && checkJSON && e.JSON != nil && !json.Valid(e.JSON) {
		err = errNotJSON
	}
	return e, err
}

// scanClaimed reads one row of claim.sql.
func (s *Session) scanClaimed(rows Rows) (driver.Claimed, error) {
	var cols eventColumns
	var c driver.Claimed
	var available, occurred, created moment
	var failures data
	if err := rows.Scan(cols.fields(&c.Attempts, &c.Recovered, &available, &occurred, &created, &failures)...); err != nil {
		return driver.Claimed{}, err
	}
	c.Event, c.Problem = cols.event(!s.Dialect.ChecksJSON)
	c.Held = cols.held
	c.Event.OccurredAt = stored.OccurredAt(occurred.Time, created.Time)
	c.CreatedAt = created.Time
	c.Position = driver.Position{AvailableAt: available.Time, Seq: cols.held.Seq}
	c.Failures = json.RawMessage(failures)
	return c, nil
}

// scanLetter reads one row of dlq_list.sql and dlq_get.sql.
func (s *Session) scanLetter(rows Rows) (driver.DeadLetter, error) {
	var cols eventColumns
	var l driver.DeadLetter
	var reason, destination, group, note, notedBy text
	var failures data
	var occurred, created, died, resolved, noted moment
	if err := rows.Scan(cols.fields(&l.Attempts, &reason, &failures, &occurred, &created, &died, &resolved, &destination, &group, &note, &notedBy, &noted)...); err != nil {
		return driver.DeadLetter{}, err
	}
	l.Event, l.Problem = cols.event(!s.Dialect.ChecksJSON)
	l.Held = cols.held
	l.Event.OccurredAt = stored.OccurredAt(occurred.Time, created.Time)
	l.Error, l.Destination, l.Group = string(reason), string(destination), string(group)
	l.Failures = driver.ParseFailures(json.RawMessage(failures))
	l.CreatedAt, l.DiedAt, l.ResolvedAt = created.Time, died.Time, resolved.Time
	l.Note, l.NotedBy, l.NotedAt = string(note), string(notedBy), noted.Time
	return l, nil
}

// scanHeld reads the columns that identify one claim.
func scanHeld(rows Rows) (h driver.Held, err error) {
	return h, rows.Scan(&h.EventID, &h.Seq, &h.ClaimNo)
}
