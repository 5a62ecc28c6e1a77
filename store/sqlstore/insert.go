package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// insert stores events in the caller's transaction.
func (s *Engine) insert(ctx context.Context, session *Session, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	state, err := s.checkSchema(ctx, session)
	if err != nil {
		return nil, s.insertError(ctx, req.Events, err)
	}
	q, insert := s.queries.Insert, s.dialect.Insert
	switch {
	case req.IfAbsent:
		q = s.queries.InsertIfAbsent
	case !state.plain && s.queries.InsertPlain.exists():
		q = s.queries.InsertPlain
	case len(req.Events) == 1 && s.queries.InsertOne.exists():
		q, insert = s.queries.InsertOne, InsertOneByOne
	}
	batch, err := insertBatch(s.dialect, req.Events)
	if err != nil {
		return nil, err
	}
	rows, err := insert(ctx, session, q, batch, req.HeadStart)
	if err != nil {
		return nil, s.insertError(ctx, req.Events, err)
	}
	byID := make(map[string]outbox.Inserted, len(rows))
	for _, r := range rows {
		byID[r.EventID] = outbox.Inserted{Seq: r.Seq, TopLevel: r.TopLevel}
	}
	answers := make([]outbox.Inserted, len(req.Events))
	for i, e := range req.Events {
		answers[i] = byID[e.ID]
	}
	return answers, nil
}

func (s *Engine) insertError(ctx context.Context, events []outbox.Event, err error) error {
	if s.fault(err) == FaultDuplicate {
		return s.duplicate(events, err)
	}
	return s.inCallers(ctx, "insert", nil, err)
}

// InsertedRow is what an INSERT returns for one row.
type InsertedRow struct {
	EventID  string
	Seq      int64
	TopLevel bool
}

// insertBatch has the columns that the INSERT statements take, in their order.
func insertBatch(d *Dialect, es []outbox.Event) (Batch, error) {
	b := newBatch(13, len(es))
	for _, e := range es {
		headers, err := driver.EncodeHeaders(e.Headers)
		if err != nil {
			return nil, fmt.Errorf("%w: event %s: %w", outbox.ErrInvalidEvent, e.ID, err)
		}
		var payload, bytes, delay any
		if e.JSON != nil {
			payload = string(e.JSON)
		}
		if e.Bytes != nil {
			bytes = e.Bytes
		}
		if e.DeliverAfter > 0 {
			delay = d.micros(e.DeliverAfter)
		}
		b.add(e.ID, e.Type, textOrNull(e.AggregateType), textOrNull(e.AggregateID), textOrNull(e.TenantID),
			textOrNull(e.CorrelationID), textOrNull(e.TraceID), payload, bytes, textOrNull(string(headers)),
			timeOrNull(stored.DueAt(e.AvailableAt, d.Resolution)), delay, timeOrNull(e.OccurredAt.Truncate(d.Resolution)))
	}
	return b, nil
}

// InsertTogether is the strategy of one statement for all rows.
func InsertTogether(ctx context.Context, s *Session, q Query, rows Batch, headStart time.Duration) ([]InsertedRow, error) {
	answer, err := s.Query(ctx, q, rows, s.Dialect.micros(headStart))
	return collect(answer, err, scanInserted)
}

// InsertOneByOne is the strategy of one statement for each row, for embedded
// databases.
func InsertOneByOne(ctx context.Context, s *Session, q Query, rows Batch, headStart time.Duration) ([]InsertedRow, error) {
	send, done, err := s.prepare(ctx, q, rows.Rows())
	if err != nil {
		return nil, err
	}
	defer done()
	var all []InsertedRow
	values := make([]any, len(rows)+1)
	values[len(rows)] = s.Dialect.micros(headStart)
	for i := range rows.Rows() {
		for j, column := range rows {
			values[j] = column[i]
		}
		answer, err := send(ctx, values...)
		got, err := collect(answer, err, scanInserted)
		if err != nil {
			return nil, errAt{err, i}
		}
		all = append(all, got...)
	}
	return all, nil
}

func scanInserted(rows Rows) (InsertedRow, error) {
	var r InsertedRow
	var topLevel flag
	err := rows.Scan(&r.EventID, &r.Seq, &topLevel)
	r.TopLevel = bool(topLevel)
	return r, err
}
