package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/inbox/ottercache"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// oursConsuming is an untouched consumer, with a cache in memory or without.
func oursConsuming(cached bool) consumerFunc {
	return func(_ context.Context, _ *env, pool *pgxpool.Pool) (takeFunc, func(), error) {
		cfg := inbox.Config{Group: inboxGroup, Logger: (&logCount{}).logger()}
		closeCache := func() {}
		if cached {
			cache, err := ottercache.New(ottercache.Config{})
			if err != nil {
				return nil, nil, err
			}
			cfg.Cache, closeCache = cache, cache.Close
		}
		store, err := pgxstore.New(pool, pgxstore.Config{})
		if err != nil {
			return nil, nil, err
		}
		consumer, err := inbox.New(store, cfg)
		if err != nil {
			return nil, nil, err
		}
		return taking(consumer), func() { store.Close(); closeCache() }, nil
	}
}

// taking uses Consume for one message and ConsumeBatch for several.
func taking(consumer *inbox.Consumer[pgx.Tx]) takeFunc {
	return func(ctx context.Context, ms []outbox.Received) error {
		if len(ms) == 1 {
			return consumer.Consume(ctx, ms[0], func(ctx context.Context, tx pgx.Tx) error {
				return haveEffect(ctx, tx, ms)
			})
		}
		return consumer.ConsumeBatch(ctx, ms, haveEffect)
	}
}
