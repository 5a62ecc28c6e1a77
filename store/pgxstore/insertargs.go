package pgxstore

import (
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// insertArguments has one array for each column that the INSERT statements
// take, in their order, and the head start.
func insertArguments(req outbox.InsertRequest) ([]any, error) {
	n := len(req.Events)
	ids, types := make([]string, n), make([]string, n)
	texts := make([]pgtype.Text, 7*n) // of the columns that may be NULL
	column := func(i int) []pgtype.Text { return texts[i*n : (i+1)*n] }
	aggregates, aggregateIDs, tenants, correlations := column(0), column(1), column(2), column(3)
	traces, payloads, headers := column(4), column(5), column(6)
	bytes := make([][]byte, n)
	available, occurred := make([]pgtype.Timestamptz, n), make([]pgtype.Timestamptz, n)
	delays := make([]pgtype.Int8, n)
	for i := range req.Events {
		e := &req.Events[i]
		encoded, err := driver.EncodeHeaders(e.Headers)
		if err != nil {
			return nil, fmt.Errorf("%w: event %s: %w", outbox.ErrInvalidEvent, e.ID, err)
		}
		ids[i], types[i] = e.ID, e.Type
		aggregates[i], aggregateIDs[i] = textOrNull(e.AggregateType), textOrNull(e.AggregateID)
		tenants[i], correlations[i], traces[i] = textOrNull(e.TenantID), textOrNull(e.CorrelationID), textOrNull(e.TraceID)
		payloads[i] = pgtype.Text{String: string(e.JSON), Valid: e.JSON != nil}
		bytes[i], headers[i] = e.Bytes, textOrNull(string(encoded))
		available[i], occurred[i] = dueAt(e.AvailableAt), timeOrNull(e.OccurredAt)
		delays[i] = pgtype.Int8{Int64: micros(e.DeliverAfter), Valid: e.DeliverAfter > 0}
	}
	return []any{
		ids, types, aggregates, aggregateIDs, tenants, correlations, traces,
		payloads, bytes, headers, available, delays, occurred, micros(req.HeadStart),
	}, nil
}

// insertOneArguments returns the same for a single event, without the arrays.
func insertOneArguments(req outbox.InsertRequest) ([]any, error) {
	e := &req.Events[0]
	headers, err := driver.EncodeHeaders(e.Headers)
	if err != nil {
		return nil, fmt.Errorf("%w: event %s: %w", outbox.ErrInvalidEvent, e.ID, err)
	}
	return []any{
		e.ID, e.Type, textOrNull(e.AggregateType), textOrNull(e.AggregateID), textOrNull(e.TenantID),
		textOrNull(e.CorrelationID), textOrNull(e.TraceID),
		pgtype.Text{String: string(e.JSON), Valid: e.JSON != nil}, e.Bytes, textOrNull(string(headers)),
		dueAt(e.AvailableAt), pgtype.Int8{Int64: micros(e.DeliverAfter), Valid: e.DeliverAfter > 0},
		timeOrNull(e.OccurredAt), micros(req.HeadStart),
	}, nil
}

// textOrNull stores an empty string as NULL.
func textOrNull(s string) pgtype.Text { return pgtype.Text{String: s, Valid: s != ""} }

func timeOrNull(t time.Time) pgtype.Timestamptz {
	return pgtype.Timestamptz{Time: t, Valid: !t.IsZero()}
}

// dueAt converts a time to what PostgreSQL keeps.
func dueAt(t time.Time) pgtype.Timestamptz { return timeOrNull(stored.DueAt(t, time.Microsecond)) }
