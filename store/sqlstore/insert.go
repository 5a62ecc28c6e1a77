package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Insert implements [outbox.TxStore]. The first one checks that the tables are
// there and right, in a way that leaves the transaction usable.
func (s *Store) Insert(ctx context.Context, tx *sql.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	if tx == nil {
		return nil, errNilTx
	}
	return s.insert(ctx, tx, req)
}

var errNilTx = fmt.Errorf("%w: it is nil", outbox.ErrNoTransaction)

func (s *Store) insert(ctx context.Context, tx querier, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	session := s.session(tx)
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

func (s *Store) insertError(ctx context.Context, events []outbox.Event, err error) error {
	switch {
	case errors.Is(err, outbox.ErrSchema):
		return err
	case errors.Is(err, sql.ErrTxDone):
		return fmt.Errorf("%w: it was committed or rolled back before: %w", outbox.ErrNoTransaction, err)
	case s.fault(err) == FaultDuplicate:
		return s.duplicate(events, err)
	case s.fault(err) == FaultConflict && s.dialect.ConflictAdvice != "":
		return fmt.Errorf("outbox: insert: %s: %w", s.dialect.ConflictAdvice, err)
	case s.fault(err) == FaultConflict, s.fault(err) == FaultLocked: // the caller's, who begins anew
		return fmt.Errorf("outbox: insert: %w", err)
	}
	return s.wrap(ctx, "insert", err)
}

// InsertedRow is the answer of an INSERT about one row.
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
		var payload, bytes, available, delay any
		if e.JSON != nil {
			payload = string(e.JSON)
		}
		if e.Bytes != nil {
			bytes = e.Bytes
		}
		if !e.AvailableAt.IsZero() {
			available = roundUp(e.AvailableAt, d.Resolution)
		}
		if e.DeliverAfter > 0 {
			delay = d.micros(e.DeliverAfter)
		}
		b.add(e.ID, e.Type, textOrNull(e.AggregateType), textOrNull(e.AggregateID), textOrNull(e.TenantID),
			textOrNull(e.CorrelationID), textOrNull(e.TraceID), payload, bytes, textOrNull(string(headers)),
			available, delay, timeOrNull(e.OccurredAt.Truncate(d.Resolution)))
	}
	return b, nil
}

// earliest is the first moment that every database can store. What was due
// before it is due all the same.
var earliest = time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC)

// roundUp keeps a stored time from being earlier than the one asked for.
func roundUp(t time.Time, resolution time.Duration) time.Time {
	if t.Before(earliest) {
		return earliest
	}
	if down := t.Truncate(resolution); down.Before(t) {
		return down.Add(resolution)
	}
	return t
}

// InsertTogether is the strategy of one statement for all rows.
func InsertTogether(ctx context.Context, s *Session, q Query, rows Batch, headStart time.Duration) ([]InsertedRow, error) {
	answer, err := s.Query(ctx, q, rows, s.Dialect.micros(headStart))
	return collect(answer, err, scanInserted)
}

// InsertOneByOne is the strategy of one statement for each row, for databases
// within the process.
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

func scanInserted(rows *sql.Rows) (InsertedRow, error) {
	var r InsertedRow
	var topLevel flag
	err := rows.Scan(&r.EventID, &r.Seq, &topLevel)
	r.TopLevel = bool(topLevel)
	return r, err
}
