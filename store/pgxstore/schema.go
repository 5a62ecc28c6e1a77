package pgxstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/pgstore"
)

// schema is what is known of the tables.
type schema struct {
	// plain: the event table is an ordinary table and no view or the like.
	plain bool
}

// checkSchema finds out once whether the tables are there and of the right
// version. It runs in the caller's transaction and asks only what cannot fail,
// because a failure would end that transaction.
func (s *Store) checkSchema(ctx context.Context, tx pgx.Tx) (*schema, error) {
	if known := s.schema.Load(); known != nil {
		return known, nil
	}
	var exists, plain, versioned, readable bool
	if err := tx.QueryRow(ctx, s.queries.Check.SQL).Scan(&exists, &plain, &versioned, &readable); err != nil {
		return nil, err
	}
	if !exists || !versioned {
		return nil, fmt.Errorf("%w: the outbox tables do not exist: %s", outbox.ErrSchema, adviceMigrate)
	}
	if readable { // a writer may lack the right, and then takes it on trust
		var version int
		if err := tx.QueryRow(ctx, s.queries.Version.SQL).Scan(&version); err != nil {
			return nil, err
		}
		if want := pgstore.SchemaVersion(); version < want {
			return nil, fmt.Errorf("%w: the tables have version %d, this program needs %d: %s", outbox.ErrSchema, version, want, adviceMigrate)
		}
	}
	known := &schema{plain: plain}
	s.schema.Store(known)
	return known, nil
}
