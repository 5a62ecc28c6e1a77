package pgxstore

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/transport"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// attempts is how often a transaction is begun if pooled connections have died.
const attempts = 6

// rollbackTimeout bounds the rollback of a transaction whose context has ended.
const rollbackTimeout = 5 * time.Second

// Begin implements [outbox.TxStore]: a transaction on the caller's pool, with
// the default isolation of the database.
func (s *Store) Begin(ctx context.Context) (tx pgx.Tx, commit, rollback func() error, err error) {
	for range attempts {
		if tx, err = s.pool.Begin(ctx); !s.stalePooled(err) {
			break
		}
	}
	if err != nil {
		return nil, nil, nil, s.engine.Error(ctx, "begin", err)
	}
	commit = func() error {
		err := tx.Commit(ctx)
		if err != nil && !definite(err) {
			return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err)
		}
		return err
	}
	rollback = func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
		defer cancel()
		err := tx.Rollback(ctx)
		if errors.Is(err, pgx.ErrTxClosed) || errors.Is(err, pgconn.ErrConnClosed) {
			return nil // it has ended already, or ends with its connection
		}
		return err
	}
	return tx, commit, rollback, nil
}

// stalePooled reports whether a pooled connection had died unnoticed, as
// opposed to a failure to connect. A lost BEGIN leaves nothing behind.
func (s *Store) stalePooled(err error) bool {
	return err != nil && s.engine.Fault(err) == sqlstore.FaultLost && !errors.As(err, new(*pgconn.ConnectError)) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// CommitError implements [outbox.TxStore]. The error may also be the
// application's, passed on by whatever ran the transaction: only what is known
// to come from the connection or the server counts as a lost answer.
func (s *Store) CommitError(err error) error {
	var answer *pgconn.PgError
	// Pgx may have swallowed why a connection was found closed.
	known := driver.ConnectionLost(err) || errors.As(err, &answer) || errors.Is(err, pgconn.ErrConnClosed)
	if err == nil || errors.Is(err, outbox.ErrCommitUnknown) || definite(err) || !known {
		return err
	}
	return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err)
}

// definite reports whether a failed COMMIT has certainly committed nothing. A
// fatal answer is not certain: the server, or a pooler that lost it, may send
// one after the commit.
func definite(err error) bool {
	if errors.Is(err, pgx.ErrTxCommitRollback) || errors.Is(err, pgx.ErrTxClosed) || unsent(err) {
		return true
	}
	var answer *pgconn.PgError
	if !errors.As(err, &answer) || fatal(answer) {
		return false
	}
	return answer.Code != "40003" && answer.Code[:min(2, len(answer.Code))] != "08" // completion unknown, connection
}

// sender is what transactions and connections of pgx have in common.
type sender interface {
	Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

// inTx sends the engine's statements in an open transaction.
type inTx struct{ tx sender }

// in wraps the caller's transaction, which must not be nil.
func in(tx pgx.Tx) (transport.Querier, error) {
	if pooled, ok := tx.(*pgxpool.Tx); tx == nil || (ok && pooled == nil) {
		return nil, fmt.Errorf("%w: it is nil", outbox.ErrNoTransaction)
	}
	return inTx{tx}, nil
}

// Exec implements [transport.Querier].
func (t inTx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	tag, err := t.tx.Exec(ctx, query, args...)
	return sqldriver.RowsAffected(tag.RowsAffected()), err
}

// Query implements [transport.Querier].
func (t inTx) Query(ctx context.Context, query string, args ...any) (transport.Rows, error) {
	answer, err := t.tx.Query(ctx, query, args...)
	return rows{answer}, err
}

// rows are those of pgx, whose Close says nothing.
type rows struct{ pgx.Rows }

func (r rows) Close() error {
	r.Rows.Close()
	return nil
}

// Record implements [driver.Ledger]. The first call checks that there is a
// ledger, in a way that leaves the transaction usable.
func (s *Store) Record(ctx context.Context, tx pgx.Tx, group string, ids []string) ([]bool, error) {
	if err := driver.CheckConsumed(group, ids...); err != nil {
		return nil, err
	}
	to, err := in(tx)
	if err != nil {
		return nil, err
	}
	return s.engine.Record(ctx, to, group, ids)
}

// NotifyIn implements [driver.TxNotifyStore].
func (s *Store) NotifyIn(ctx context.Context, tx pgx.Tx, lanes []string) error {
	to, err := in(tx)
	if err != nil {
		return err
	}
	return s.engine.NotifyIn(ctx, to, lanes)
}
