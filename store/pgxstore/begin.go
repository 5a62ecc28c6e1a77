package pgxstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sendoff-go/outbox"
)

// endTimeout bounds the rollback of a transaction whose context has ended.
const endTimeout = 5 * time.Second

// Begin implements [outbox.TxStore]: a transaction on the caller's pool, with
// the default isolation of the database.
func (s *Store) Begin(ctx context.Context) (tx pgx.Tx, commit, rollback func() error, err error) {
	for range attempts {
		if tx, err = s.pool.Begin(ctx); !stalePooled(err) {
			break
		}
	}
	if err != nil {
		return nil, nil, nil, wrap(ctx, "begin", err)
	}
	commit = func() error {
		err := tx.Commit(ctx)
		if err != nil && !definite(err) {
			return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err)
		}
		return err
	}
	rollback = func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer cancel()
		err := tx.Rollback(ctx)
		if errors.Is(err, pgx.ErrTxClosed) || errors.Is(err, pgconn.ErrConnClosed) {
			return nil // it has ended already, or ends with its connection
		}
		return err
	}
	return tx, commit, rollback, nil
}

// stalePooled tells that a connection had died in the pool unnoticed, and not
// that none can be made. A BEGIN that was lost has begun nothing that lasts.
func stalePooled(err error) bool {
	return err != nil && faultOf(err) == faultLost && !errors.As(err, new(*pgconn.ConnectError)) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}
