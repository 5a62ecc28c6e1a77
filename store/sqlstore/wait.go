package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"
)

// LockWait is how long a renewal or a settle waits for a row that another
// session has locked, and at most a third of [Config.StatementTimeout]. Then it
// deals with the others alone. MySQL and MariaDB count whole seconds, so that it
// can become two there.
const LockWait = time.Second

// setLimits makes the server give up when the call does, and wait for a lock no
// longer than that, whatever an administrator has set. Some do not notice that
// their client has gone: the statement would go on waiting for a row that
// somebody has locked, and keep those that it has locked itself from others.
func (s *Session) setLimits(ctx context.Context, wait time.Duration) error {
	deadline, ok := ctx.Deadline()
	if !ok || !s.Queries.WaitLimit.exists() {
		return nil
	}
	left := max(time.Until(deadline), time.Millisecond)
	if wait == 0 {
		wait = left
	}
	s.limited = true // or half so, if this fails
	_, err := s.Exec(ctx, s.Queries.WaitLimit, nil, max(wait.Milliseconds(), 1), left.Milliseconds())
	return err
}

// restoreLimits undoes setLimits where they do not end with the transaction. A
// connection where that fails is thrown away.
func (s *Session) restoreLimits(ctx context.Context, conn *sql.Conn) {
	if !s.limited || !s.Queries.WaitRestore.exists() {
		return
	}
	if _, err := conn.ExecContext(ctx, s.Queries.WaitRestore.SQL); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
