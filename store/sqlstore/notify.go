package sqlstore

import "context"

// Notify implements [outbox.Notifier]. Where the database has no wake-ups it
// does nothing.
func (s *Store) Notify(ctx context.Context, lanes []string) error {
	if !s.queries.Notify.exists() {
		return nil
	}
	event := s.names.tables[wordEvent]
	args := s.dialect.Notify(event.schema, event.table, lanes)
	return s.run(ctx, "notify", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		_, err := session.Exec(ctx, s.queries.Notify, nil, args...)
		return err
	})
}
