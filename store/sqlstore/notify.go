package sqlstore

import (
	"context"
)

// Notify implements [driver.NotifyStore]. Where the database has no wake-ups it
// does nothing.
func (s *Engine) Notify(ctx context.Context, lanes []string) error {
	if !s.queries.Notify.exists() {
		return nil
	}
	return s.run(ctx, s.relayCall("notify", func(ctx context.Context, session *Session) error {
		return s.notify(ctx, session, lanes)
	}).single())
}

func (s *Engine) notifyIn(ctx context.Context, session *Session, lanes []string) error {
	if !s.queries.Notify.exists() {
		return nil
	}
	if err := s.notify(ctx, session, lanes); err != nil {
		return s.inCallers(ctx, "notify", nil, err)
	}
	return nil
}

func (s *Engine) notify(ctx context.Context, session *Session, lanes []string) error {
	event := s.names.tables[wordEvent]
	_, err := session.Exec(ctx, s.queries.Notify, nil, s.dialect.Notify(event.schema, event.table, lanes)...)
	return err
}
