package sqlstore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// audit notes a change in the transaction that makes it.
func (s *Session) audit(ctx context.Context, a driver.Act, action driver.AuditAction, subjects []string) error {
	text, err := json.Marshal(subjects)
	if err != nil {
		return err
	}
	_, err = s.Exec(ctx, s.Queries.AuditAdd, nil, driver.CleanText(a.By, maxActor), string(action), string(text), driver.CleanText(a.Note, driver.MaxErrorLength))
	return err
}

// maxActor is the length of the column, in characters.
const maxActor = 255

// ListAudit implements [driver.AuditStore].
func (s *Engine) ListAudit(ctx context.Context, before int64, limit int) ([]driver.AuditEntry, error) {
	if limit <= 0 {
		return nil, nil
	}
	var entries []driver.AuditEntry
	err := s.run(ctx, s.personCall("list the audit log", func(ctx context.Context, session *Session) error {
		rows, err := session.Query(ctx, s.queries.AuditList, nil, before, stored.AtMost(limit))
		entries, err = collect(rows, err, scanEntry)
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return entries, nil
}

func scanEntry(rows Rows) (e driver.AuditEntry, err error) {
	var at moment
	var subjects data
	if err = rows.Scan(&e.ID, &at, &e.By, &e.Action, &subjects, &e.Note); err != nil {
		return e, err
	}
	e.At = at.Time
	return e, json.Unmarshal(subjects, &e.Subjects)
}

// SweepAudit implements [driver.AuditStore].
func (s *Engine) SweepAudit(ctx context.Context, age time.Duration, limit int) (int, error) {
	if limit <= 0 {
		return 0, nil
	}
	var n int
	err := s.run(ctx, s.sweepCall("sweep the audit log", func(ctx context.Context, session *Session) (err error) {
		n, err = session.Exec(ctx, s.queries.AuditSweep, nil, s.dialect.micros(max(age, 0)), stored.AtMost(limit))
		return err
	}).single())
	return n, err
}
