package pgxstore

import (
	"context"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/sendoff-go/outbox/store/pgstore"
)

// Migrate brings the tables to the version that this program needs, and creates
// them where there are none. It may be called at every start and by many
// processes at once; a newer schema is left alone. Only ctx bounds its time, but
// for the wait for another migration of the same tables, which ends after five
// minutes. It is what Migrate of package pgstore does, on the caller's pool.
func (s *Store) Migrate(ctx context.Context) error {
	db := stdlib.OpenDBFromPool(s.pool)
	defer func() { _ = db.Close() }() // the connections are the pool's
	store, err := pgstore.New(db, pgstore.Config{Tables: s.config.Tables})
	if err != nil {
		return err
	}
	return store.Migrate(ctx)
}
