package sqlstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// The lengths of columns of alerts, in characters.
const (
	maxRule    = 32
	maxSubject = 255
)

// SeeAlerts implements [driver.AlertStore].
func (s *Engine) SeeAlerts(ctx context.Context, seen []driver.Sighting, quiet time.Duration) error {
	byID := map[string]driver.Sighting{}
	for _, one := range seen {
		byID[one.ID()] = one
	}
	batch := newBatch(5, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		one := byID[id]
		batch.add(id, driver.CleanText(one.Rule, maxRule), driver.CleanText(one.Subject, maxSubject), string(one.Severity), driver.CleanText(one.Text, driver.MaxErrorLength))
	}
	return s.run(ctx, s.sweepCall("see alerts", func(ctx context.Context, session *Session) error {
		if len(byID) > 0 {
			if _, err := session.Exec(ctx, s.queries.AlertSee, batch); err != nil {
				return err
			}
		}
		_, err := session.Exec(ctx, s.queries.AlertResolve, nil, s.dialect.micros(max(quiet, 0)))
		return err
	}))
}

// DueAlerts implements [driver.AlertStore].
func (s *Engine) DueAlerts(ctx context.Context, lease time.Duration, limit int) ([]driver.Alert, error) {
	if limit <= 0 {
		return nil, nil
	}
	var due []driver.Alert
	err := s.run(ctx, s.sweepCall("claim alerts", func(ctx context.Context, session *Session) (err error) {
		if due, err = skipping(ctx, session, s.queries.AlertDue, scanAlert, nil, stored.AtMost(limit)); err != nil {
			return err
		}
		for i := range due {
			if _, err := session.Exec(ctx, s.queries.AlertClaim, nil, due[i].ID, s.dialect.micros(max(lease, 0))); err != nil {
				return err
			}
			due[i].Turn++
		}
		return nil
	}))
	if err != nil {
		return nil, err
	}
	return due, nil
}

// ToldAlerts implements [driver.AlertStore].
func (s *Engine) ToldAlerts(ctx context.Context, told []driver.Alert, repeat time.Duration) error {
	if len(told) == 0 {
		return nil
	}
	told = slices.SortedFunc(slices.Values(told), func(a, b driver.Alert) int { return cmp.Compare(a.ID, b.ID) })
	return s.run(ctx, s.sweepCall("note alerts", func(ctx context.Context, session *Session) error {
		for _, a := range told {
			if _, err := session.Exec(ctx, s.queries.AlertTold, nil, a.ID, a.Turn, s.dialect.micros(max(repeat, 0))); err != nil {
				return err
			}
		}
		return nil
	}))
}

// ListAlerts implements [driver.AlertStore].
func (s *Engine) ListAlerts(ctx context.Context, f driver.AlertFilter, limit int) ([]driver.Alert, error) {
	if limit <= 0 {
		return nil, nil
	}
	var all []driver.Alert
	err := s.run(ctx, s.personCall("list alerts", func(ctx context.Context, session *Session) error {
		rows, err := session.Query(ctx, s.queries.AlertList, nil, string(f.State), f.Rule, stored.AtMost(limit))
		all, err = collect(rows, err, scanAlert)
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return all, nil
}

func scanAlert(rows Rows) (a driver.Alert, err error) {
	var raised, seen, resolved, notified, muted, marked moment
	var by, note text
	if err = rows.Scan(&a.ID, &a.Rule, &a.Subject, &a.Severity, &a.Text, &raised, &seen, &resolved, &notified, &a.Notices, &a.Turn, &muted, &by, &note, &marked); err != nil {
		return a, err
	}
	a.RaisedAt, a.SeenAt, a.ResolvedAt, a.NotifiedAt, a.MutedUntil, a.MarkedAt = raised.Time, seen.Time, resolved.Time, notified.Time, muted.Time, marked.Time
	a.By, a.Note = string(by), string(note)
	return a, nil
}

// MuteAlert implements [driver.AlertStore].
func (s *Engine) MuteAlert(ctx context.Context, id string, m driver.AlertMute) (bool, error) {
	action := driver.AuditMute
	if m.MutedUntil.IsZero() {
		action = driver.AuditUnmute
	}
	var found bool
	err := s.run(ctx, s.personCall("mute an alert", func(ctx context.Context, session *Session) error {
		n, err := session.Exec(ctx, s.queries.AlertMute, nil, id, timeOrNull(m.MutedUntil), driver.CleanText(m.By, maxActor), driver.CleanText(m.Note, driver.MaxErrorLength))
		if found = n > 0; err != nil || !found {
			return err
		}
		return session.audit(ctx, driver.Act{By: m.By, Note: m.Note}, action, "", []string{id})
	}))
	return found && err == nil, err
}

// SweepAlerts implements [driver.AlertStore].
func (s *Engine) SweepAlerts(ctx context.Context, age time.Duration, limit int) (int, error) {
	return s.removeCall(ctx, "sweep alerts", removal{s.queries.AlertSweep, s.queries.AlertFree, scanName}, age, limit)
}
