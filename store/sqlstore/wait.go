package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"
)

// limitWait makes the server give up waiting for a lock before the call does.
// Some do not notice that their client has gone: the statement would go on
// waiting for a row that somebody has locked, and keep those that it has locked
// itself from being settled apart.
func (s *Session) limitWait(ctx context.Context) error {
	deadline, ok := ctx.Deadline()
	if !ok || !s.Queries.WaitLimit.exists() {
		return nil
	}
	s.limited = true // or half so, if this fails
	_, err := s.Exec(ctx, s.Queries.WaitLimit, nil, max(int64(time.Until(deadline)/time.Second), 1))
	return err
}

// restoreWait undoes limitWait. A connection where that fails is thrown away.
func (s *Session) restoreWait(ctx context.Context, conn *sql.Conn) {
	if !s.limited {
		return
	}
	if _, err := conn.ExecContext(ctx, s.Queries.WaitRestore.SQL); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
