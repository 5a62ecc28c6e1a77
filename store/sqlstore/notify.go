package sqlstore

import (
	"context"
	"database/sql"
)

// Notify implements [driver.NotifyStore]. Where the database has no wake-ups it
// does nothing.
func (s *Store) Notify(ctx context.Context, lanes []string) error {
	if !s.queries.Notify.exists() {
		return nil
	}
	return s.run(ctx, "notify", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		return s.notify(ctx, session, lanes)
	})
}

// NotifyIn implements [driver.TxNotifyStore]. Where the database has no wake-ups
// it does nothing.
func (s *Store) NotifyIn(ctx context.Context, tx *sql.Tx, lanes []string) error {
	return s.notifyIn(ctx, tx, lanes)
}

// NotifyIn implements [driver.TxNotifyStore].
func (s ormStore) NotifyIn(ctx context.Context, tx Tx, lanes []string) error {
	return s.notifyIn(ctx, tx, lanes)
}

func (s *Store) notifyIn(ctx context.Context, tx querier, lanes []string) error {
	if !s.queries.Notify.exists() {
		return nil
	}
	if err := s.notify(ctx, s.session(tx), lanes); err != nil {
		return s.wrap(ctx, "notify", err)
	}
	return nil
}

func (s *Store) notify(ctx context.Context, session *Session, lanes []string) error {
	event := s.names.tables[wordEvent]
	_, err := session.Exec(ctx, s.queries.Notify, nil, s.dialect.Notify(event.schema, event.table, lanes)...)
	return err
}
