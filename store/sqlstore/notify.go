package sqlstore

import (
	"context"
	"encoding/json"
)

// maxNotify is what PostgreSQL takes as the payload of one notification.
const maxNotify = 7999

// Notify implements [outbox.Notifier]. Where the database has no wake-ups it
// does nothing.
func (s *Store) Notify(ctx context.Context, lanes []string) error {
	if !s.queries.Notify.exists() {
		return nil
	}
	return s.run(ctx, "notify", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		_, err := session.Exec(ctx, s.queries.Notify, nil, s.Channel(), NotifyPayload(lanes))
		return err
	})
}

// NotifyPayload is what a wake-up carries: the lanes as a JSON array, or
// nothing, which means any lane, where that would be too long.
func NotifyPayload(lanes []string) string {
	text, err := json.Marshal(lanes)
	if err != nil || len(lanes) == 0 || len(text) > maxNotify {
		return ""
	}
	return string(text)
}

// ParseNotify reads what [NotifyPayload] made; nil means any lane.
func ParseNotify(payload string) []string {
	var lanes []string
	if json.Unmarshal([]byte(payload), &lanes) != nil {
		return nil
	}
	return lanes
}

// Channel is the name of the channel for wake-ups, and "" where the database
// has none.
func (s *Store) Channel() string {
	if s.dialect.Channel == nil {
		return ""
	}
	event := s.names.tables[wordEvent]
	return s.dialect.Channel(event.schema, event.table)
}
