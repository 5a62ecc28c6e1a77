package sqlstore

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// Paused implements [driver.ControlStore].
func (s *Engine) Paused(ctx context.Context) ([]driver.Pause, error) {
	var all []driver.Pause
	err := s.run(ctx, s.relayCall("read what is paused", func(ctx context.Context, session *Session) error {
		rows, err := session.Query(ctx, s.queries.ControlPaused, nil)
		all, err = collect(rows, err, scanPause)
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return all, nil
}

func scanPause(rows Rows) (p driver.Pause, err error) {
	var at moment
	err = rows.Scan(&p.Kind, &p.Name, &p.By, &at)
	p.At = at.Time
	return p, err
}

// SetPaused implements [driver.ControlStore].
func (s *Engine) SetPaused(ctx context.Context, what driver.Pausable, paused bool, by string) error {
	act, _ := driver.ActOf(ctx)
	act.By = by
	return s.run(ctx, s.personCall("pause or resume", func(ctx context.Context, session *Session) error {
		if err := what.Check(); err != nil {
			return ours(err)
		}
		set := s.queries.ControlSet
		if what.Kind == driver.DestinationPause {
			set = s.queries.DestinationSet
		}
		if _, err := session.Exec(ctx, set, nil, what.Name, paused, driver.CleanText(by, maxActor)); err != nil {
			return err
		}
		return session.audit(ctx, act, what.Action(paused), "", []string{what.Name})
	}))
}
