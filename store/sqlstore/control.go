package sqlstore

import (
	"context"
)

// Paused implements [driver.ControlStore].
func (s *Store) Paused(ctx context.Context) ([]string, error) {
	var lanes []string
	err := s.run(ctx, "read what is paused", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		rows, err := session.Query(ctx, s.queries.ControlPaused, nil)
		lanes, err = collect(rows, err, scanID)
		return err
	})
	if err != nil {
		return nil, err
	}
	return lanes, nil
}

// SetPaused implements [driver.ControlStore].
func (s *Store) SetPaused(ctx context.Context, lane string, paused bool, by string) error {
	return s.run(ctx, "pause or resume", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		_, err := session.Exec(ctx, s.queries.ControlSet, nil, lane, paused, by)
		return err
	})
}
