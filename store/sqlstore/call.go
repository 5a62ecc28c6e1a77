package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox/internal/backoff"
	"github.com/sendoff-go/outbox/store/internal/stored"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// attempts is how often a transaction that runs into others is tried.
const attempts = 6

// migrationAttempts is the same for a migration, for which nobody waits: some
// four seconds in all.
const migrationAttempts = 11

// LockWait is how long a renewal or a settle waits for a row that another
// session has locked, and at most a third of the time that is left to the call
// by [Config.StatementTimeout] and the deadline of its context. Then it goes on
// without that row. MySQL and MariaDB count whole seconds, so it can become two
// there, whatever is left.
const LockWait = time.Second

// work is the body of a transaction. It may run more than once, and its results
// count only if the call returns nil.
type work func(ctx context.Context, s *Session) error

// call is one call of a store's method, in a transaction of its own.
type call struct {
	what    string
	pool    transport.Pool
	timeout time.Duration // 0: none
	limits  Query         // the statement that sets its limits
	tries   int           // default: attempts
	// alone: work sends at most one statement.
	alone bool
	work  work
	// around, if any, take the place of work, one after the other, once it has waited
	// for a lock for longer than [LockWait].
	around []work
}

// relayCall is a call that a relay needs to keep going.
func (s *Engine) relayCall(what string, f work) call {
	c := call{what: what, pool: s.config.Relay, timeout: s.config.StatementTimeout, limits: s.queries.WaitLimit, work: f}
	if s.config.Pipelined && s.queries.Settings.exists() {
		c.limits = s.queries.Settings
	}
	return c
}

// sweepCall is a call of a relay that may take longer.
func (s *Engine) sweepCall(what string, f work) call {
	return call{what: what, pool: s.config.Relay, timeout: s.config.SweepTimeout, limits: s.queries.WaitLimit, work: f}
}

// personCall is a call made for an operator or a consumer.
func (s *Engine) personCall(what string, f work) call {
	return call{what: what, pool: s.config.People, timeout: s.config.SweepTimeout, limits: s.queries.WaitLimit, work: f}
}

// migrationCall sets no limits of its own and respects those that an
// administrator has set.
func (s *Engine) migrationCall(what string, f work) call {
	return call{what: what, pool: s.config.People, tries: migrationAttempts, work: f}
}

// single says that a call sends at most one statement, where the transport is
// pipelined.
func (c call) single() call {
	c.alone = true
	return c
}

// run makes one call, and retries it on conflicts. An administrator's limits
// apply until the call runs into one; then its own replace them. Where its own
// cost nothing, they replace them from the start.
func (s *Engine) run(ctx context.Context, c call) error {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if c.timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, c.timeout)
	}
	defer cancel()
	t := try{limits: c.timeout > 0 && (s.config.Pipelined || s.wasLate(c.what))}
	if len(c.around) > 0 {
		t.limits, t.wait = true, LockWait
	}
	var err error
	for n := range cmp.Or(c.tries, attempts) {
		if n > 0 && !t.atOnce && !backoff.Pause(limited, n) {
			err = errors.Join(err, limited.Err()) // conflicts took all of the time
			break
		}
		t.attempt = n
		if err = s.once(limited, c, t); err == nil {
			s.late.Delete(c.what)
			return nil
		}
		fault := s.fault(err)
		t.careful, t.atOnce = true, errors.Is(err, errAgain)
		switch {
		case fault == FaultLocked && len(c.around) > 0:
			c.work, c.around, t.atOnce = c.around[0], c.around[1:], true
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
	if c.timeout > 0 {
		if err = s.tooLong(limited, err); limited.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			s.late.Store(c.what, true) // the server may still be at it
		}
	}
	return s.wrap(ctx, c.what, err)
}

// wasLate reports whether the last call of that kind ended for its time, or because
// its caller ended it. A server that does not notice that its client is gone would
// wait on, in one session more for each such call.
func (s *Engine) wasLate(what string) bool {
	_, late := s.late.Load(what)
	return late
}

// tooLong marks the error of a call that has waited too long, for example for a
// table that another session has locked: the database is there, and another call
// may work. A lock of an embedded database is one on all of it.
//
// A driver may report the end of its context as a timeout of the network or a bad
// connection, and a moment before the context itself has ended.
func (s *Engine) tooLong(limited context.Context, err error) error {
	deadline, _ := limited.Deadline()
	f := s.fault(err)
	over := f == FaultLost && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !time.Now().Before(deadline)
	if over || !s.dialect.Embedded && (f == FaultLocked || f == FaultLimit) {
		return fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	return err
}

// try is one attempt at a call.
type try struct {
	atOnce bool // retry without a pause
	// careful: an assumption of an earlier attempt was wrong.
	careful bool
	attempt int // counted from 0
	// limits: the call's own are set first. Wait is how long to wait for a
	// lock, and at most a third of the time that is left; 0: for as long as the
	// call takes.
	limits bool
	wait   time.Duration
}

// once makes one attempt, in one transaction.
func (s *Engine) once(ctx context.Context, c call, t try) (err error) {
	conn, err := c.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	bad := false
	defer func() { conn.Release(bad || s.ruins(err)) }()
	opening := c.opening(ctx, t)
	session := s.session(conn)
	session.careful, session.attempt = t.careful, t.attempt
	if err = conn.Begin(ctx, opening); err == nil {
		err = c.work(ctx, session)
	}
	if err == nil {
		err = conn.Commit(ctx)
	} else {
		conn.Rollback(ctx)
	}
	if ended := ctx.Err(); err != nil && ended != nil && s.fault(err) == FaultEnded {
		err = ended // with which database/sql had rolled back
	}
	bad = session.leave(ctx, conn, opening.First != "", err != nil)
	return err
}

// opening makes the server give up when the call does, and wait for a lock no
// longer than that, whatever an administrator has set. Some servers do not
// notice that their client is gone: the statement would go on waiting for a
// locked row while it holds its own locks.
func (c call) opening(ctx context.Context, t try) transport.Opening {
	o := transport.Opening{Alone: c.alone}
	deadline, ok := ctx.Deadline()
	if !ok || !t.limits || !c.limits.exists() {
		return o
	}
	left := max(time.Until(deadline), 0)
	most := left + behind
	wait := most
	if t.wait > 0 {
		wait = min(t.wait, left/3) // it must go around the lock in time
	}
	o.First, o.Args = c.limits.SQL, c.limits.arguments([]any{millis(wait), millis(most)})
	return o
}

// behind is how much later than the call the server gives up. Where the call takes
// too long its caller sees that, and not what the server says of it.
const behind = 100 * time.Millisecond

// millis is a duration as a server's setting, where 0 would stand for none and no
// more than 32 bits are taken.
func millis(d time.Duration) int64 { return max(stored.AtMost(int(d.Milliseconds())), 1) }

// leave undoes what does not end with the transaction, and reports whether the
// connection has become unusable.
func (s *Session) leave(ctx context.Context, conn transport.Conn, limited, failed bool) (bad bool) {
	if limited && s.Queries.WaitRestore.exists() && conn.Send(ctx, s.Queries.WaitRestore.SQL) != nil {
		bad = true
	}
	if s.migrates {
		bad = s.unlock(ctx, conn, failed) || bad
	}
	return bad
}
