package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"time"
)

// attempts is how often a transaction is tried that others are in the way of.
const attempts = 6

// run does one call of the relay: f in a transaction of its own, repeated
// while others are in the way. F may run more than once, and what it found
// counts only if run returns nil.
func (s *Store) run(ctx context.Context, what string, timeout time.Duration, f func(ctx context.Context, s *Session) error) error {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, timeout)
	}
	defer cancel()
	var err error
	for n := range attempts {
		if n > 0 && !errors.Is(err, errAgain) && !pause(limited, n) {
			err = errors.Join(err, limited.Err()) // others were in the way for all of the time
			break
		}
		if err = s.once(limited, n > 0, f); err == nil {
			return nil
		}
		if !s.repeatable(err) {
			break
		}
	}
	return s.wrap(ctx, what, err)
}

// pause waits about 4 ms before the first repetition and twice as long before
// each further one, and is false if ctx ended.
func pause(ctx context.Context, n int) bool {
	d := 2 * time.Millisecond << n
	timer := time.NewTimer(d/2 + rand.N(d))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// errBegin marks what failed before anything was sent.
type errBegin struct{ error }

func (e errBegin) Unwrap() error { return e.error }

func (s *Store) repeatable(err error) bool {
	switch s.fault(err) {
	case FaultConflict, FaultReadOnly:
		return true
	case FaultLost: // a pooled connection that had died unnoticed
		return errors.As(err, new(errBegin))
	}
	return false
}

// once runs f in one transaction. The connection is held beside it, so that a
// bad one can be told apart from the pool's others and thrown away.
func (s *Store) once(ctx context.Context, careful bool, f func(ctx context.Context, s *Session) error) (err error) {
	s.relayed.catchUp(ctx)
	conn, err := s.relay.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.discardIfBad(conn, err)
		}
		_ = conn.Close() // gives it back; nothing is left to fail
	}()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{Isolation: s.dialect.Isolation})
	if err != nil {
		return errBegin{err}
	}
	session := s.session(tx)
	session.ready, session.careful = s.relayed, careful
	defer session.restoreWait(ctx, conn)
	defer func() { session.unlock(ctx, conn, err != nil) }()
	if err := f(ctx, session); err != nil {
		_ = tx.Rollback() // err says why; a failing rollback ends the connection
		return err
	}
	return tx.Commit()
}

// discardIfBad makes the pool close a connection that is lost or leads to a
// replica, instead of using it again.
func (s *Store) discardIfBad(conn *sql.Conn, err error) {
	if fault := s.fault(err); !s.dialect.Embedded && (fault == FaultLost || fault == FaultReadOnly) {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
