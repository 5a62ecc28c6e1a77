package pgxstore

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/store/pgstore"
)

// Notify implements [driver.NotifyStore]. It wakes what listens to [Store.Channel],
// in any process, whichever package it uses.
func (s *Store) Notify(ctx context.Context, lanes []string) error {
	return s.run(ctx, s.relayCall("notify"), func(b *pgx.Batch) {
		b.Queue(s.queries.Notify.SQL, s.channel, pgstore.NotifyPayload(lanes))
	})
}

// NotifyIn implements [driver.TxNotifyStore].
func (s *Store) NotifyIn(ctx context.Context, tx pgx.Tx, lanes []string) error {
	if _, err := tx.Exec(ctx, s.queries.Notify.SQL, s.channel, pgstore.NotifyPayload(lanes)); err != nil {
		return wrap(ctx, "notify", err)
	}
	return nil
}

// Channel is the channel of wake-ups: the full name of the event table, or a
// hash of it where that is too long.
func (s *Store) Channel() string { return s.channel }
