package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox"
)

// Begin implements [outbox.TxStore] with the database's default isolation.
func (s *Store) Begin(ctx context.Context) (tx *sql.Tx, commit, rollback func() error, err error) {
	if err := s.db.check(ctx, s.dialect); err != nil {
		return nil, nil, nil, s.wrap(ctx, "begin", err)
	}
	s.ready.catchUp(ctx)
	tx, err = s.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, nil, s.wrap(ctx, "begin", err)
	}
	if _, err := s.session(tx).ExecIfAny(ctx, s.queries.Begin); err != nil {
		_ = tx.Rollback() // err says why
		return nil, nil, nil, s.wrap(ctx, "begin", err)
	}
	commit = func() error {
		err := tx.Commit()
		if err != nil && !errors.Is(err, sql.ErrTxDone) && s.fault(err) == FaultLost {
			return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err)
		}
		return err
	}
	rollback = func() error {
		if err := tx.Rollback(); !errors.Is(err, sql.ErrTxDone) {
			return err
		}
		return nil
	}
	return tx, commit, rollback, nil
}
