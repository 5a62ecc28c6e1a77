package pgxstore

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// CommitError implements [outbox.TxStore]. An error may as well be one of the
// business, handed on by whatever ran the transaction: only what is known to
// come from the connection or the server counts as a lost answer.
func (s *Store) CommitError(err error) error {
	var answer *pgconn.PgError
	// Pgx may have swallowed why a connection was found closed.
	known := driver.ConnectionLost(err) || errors.As(err, &answer) || errors.Is(err, pgconn.ErrConnClosed)
	if err == nil || errors.Is(err, outbox.ErrCommitUnknown) || definite(err) || !known {
		return err
	}
	return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err)
}

// definite tells that a failed COMMIT has committed nothing. A fatal answer
// does not: the server, or a pooler that lost it, may send one after the
// commit.
func definite(err error) bool {
	if errors.Is(err, pgx.ErrTxCommitRollback) || errors.Is(err, pgx.ErrTxClosed) || unsent(err) {
		return true
	}
	var answer *pgconn.PgError
	if !errors.As(err, &answer) || fatal(answer) {
		return false
	}
	return answer.Code != "40003" && class(answer) != "08" // completion unknown, connection
}
