package sqlstore

import (
	"context"
)

// Paused implements [driver.ControlStore].
func (s *Engine) Paused(ctx context.Context) ([]string, error) {
	var lanes []string
	err := s.run(ctx, s.relayCall("read what is paused", func(ctx context.Context, session *Session) error {
		rows, err := session.Query(ctx, s.queries.ControlPaused, nil)
		lanes, err = collect(rows, err, scanValue[string])
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return lanes, nil
}

// SetPaused implements [driver.ControlStore].
func (s *Engine) SetPaused(ctx context.Context, lane string, paused bool, by string) error {
	return s.run(ctx, s.personCall("pause or resume", func(ctx context.Context, session *Session) error {
		_, err := session.Exec(ctx, s.queries.ControlSet, nil, lane, paused, by)
		return err
	}).single())
}
