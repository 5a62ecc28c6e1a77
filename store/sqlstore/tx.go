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

// work is what a transaction does. It may run more than once, and what it found
// counts only if the call returns nil.
type work func(ctx context.Context, s *Session) error

// call is one call of the relay.
type call struct {
	what    string
	timeout time.Duration // 0: none
	work    work
	// around, if any, takes the place of work once it has waited for a lock for
	// longer than [LockWait].
	around work
}

// run does one call: f in a transaction of its own, repeated while others are in
// the way.
func (s *Store) run(ctx context.Context, what string, timeout time.Duration, f work) error {
	return s.do(ctx, call{what: what, timeout: timeout, work: f})
}

// do does one call. Limits that an administrator has set hold until the call runs
// into one, and then make way for the call's own: to set them costs a round trip.
// A call without a bound of its own, a migration, keeps to them.
func (s *Store) do(ctx context.Context, c call) error {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if c.timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, c.timeout)
	}
	defer cancel()
	t := try{work: c.work}
	if c.around != nil {
		t.limits, t.wait = true, min(LockWait, c.timeout/3)
	}
	var err error
	for n := range attempts {
		if n > 0 && !t.atOnce && !pause(limited, n) {
			err = errors.Join(err, limited.Err()) // others were in the way for all of the time
			break
		}
		if err = s.once(limited, t); err == nil {
			return nil
		}
		fault := s.fault(err)
		t.careful, t.atOnce = true, errors.Is(err, errAgain)
		switch {
		case fault == FaultLocked && c.around != nil:
			t.work, c.around, t.atOnce = c.around, nil, true
			continue
		case (fault == FaultLocked || fault == FaultLimit) && !t.limits && c.timeout > 0:
			t.limits, t.atOnce = true, true
			continue
		case fault == FaultLocked && c.timeout == 0:
			continue
		}
		if !s.repeatable(err) {
			break
		}
	}
	return s.wrap(ctx, c.what, err)
}

// try is one attempt at a call.
type try struct {
	work   work
	atOnce bool // it need not wait for those who were in the way
	// careful: an earlier attempt took for granted what was not so.
	careful bool
	// limits: the call's own are set first. Wait is how long a lock is waited
	// for; 0: for as long as the call takes.
	limits bool
	wait   time.Duration
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

// errBegin marks what failed before anything was sent that changes a row.
type errBegin struct{ error }

func (e errBegin) Unwrap() error { return e.error }

func (s *Store) repeatable(err error) bool {
	switch s.fault(err) {
	case FaultConflict, FaultReadOnly:
		return true
	case FaultLost, FaultLimit: // a pooled connection that had died unnoticed, or was slow to begin
		return errors.As(err, new(errBegin))
	}
	return false
}

// once makes one attempt, in one transaction. The connection is held beside it, so that a
// bad one can be told apart from the pool's others and thrown away.
func (s *Store) once(ctx context.Context, t try) (err error) {
	if err := s.relay.check(ctx, s.dialect); err != nil {
		return err
	}
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
	session.ready, session.careful = s.relayed, t.careful
	defer session.restoreLimits(ctx, conn)
	defer func() { session.unlock(ctx, conn, err != nil) }()
	if t.limits {
		if err = session.setLimits(ctx, t.wait); err != nil {
			err = errBegin{err} // until then a limit of the role counts
		}
	}
	if err == nil {
		err = t.work(ctx, session)
	}
	if err != nil {
		_ = tx.Rollback() // err says why; a failing rollback ends the connection
		return err
	}
	return tx.Commit()
}

// discardIfBad makes the pool close a connection that is lost or leads to a
// replica, instead of using it again.
func (s *Store) discardIfBad(conn *sql.Conn, err error) {
	if fault := s.fault(err); !s.dialect.Embedded && (fault == FaultLost || fault == FaultLimit || fault == FaultReadOnly) {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
