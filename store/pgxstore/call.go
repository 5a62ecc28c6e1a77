package pgxstore

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox/store/pgstore"
)

// call says what a method of the store is, which pool it uses and how long it
// may take.
type call struct {
	what    string
	pool    func() (*pgxpool.Pool, error)
	timeout time.Duration
	// wait bounds how long a statement waits for a lock.
	wait time.Duration
	// settings is the statement that makes these the limits, whatever those of
	// the role are.
	settings string
	// around, if any, are the steps that take the place of the call's own once a
	// row was found locked for longer than that.
	around []step
}

// relayCall is what a relay needs to go on. Its statements keep one plan, made
// for any state of the table.
func (s *Store) relayCall(what string) call {
	return s.newCall(what, s.relay.get, s.config.StatementTimeout, s.queries.Settings.SQL)
}

// heldCall is a relay's call about what it holds. Where somebody has locked some
// of it, around deals with the others.
func (s *Store) heldCall(what string, around ...step) call {
	c := s.relayCall(what)
	c.wait, c.around = min(pgstore.LockWait, c.timeout/3), around
	return c
}

// relaySweep is what a relay does beside that and may take longer.
func (s *Store) relaySweep(what string) call {
	return s.newCall(what, s.relay.get, s.config.SweepTimeout, s.queries.WaitLimit.SQL)
}

// personCall is what people ask. They must not be able to take the relay's
// connections, so it uses the business's.
func (s *Store) personCall(what string) call {
	return s.newCall(what, func() (*pgxpool.Pool, error) { return s.pool, nil }, s.config.SweepTimeout, s.queries.WaitLimit.SQL)
}

func (s *Store) newCall(what string, pool func() (*pgxpool.Pool, error), timeout time.Duration, settings string) call {
	return call{what: what, pool: pool, timeout: timeout, wait: timeout, settings: settings}
}

// step queues the statements of one round trip. It may run more than once, and
// what its callbacks were told counts only if the call returns nil: until then
// nothing is known to be committed.
type step func(b *pgx.Batch)

// attempts is how often a transaction is tried that others are in the way of.
const attempts = 6

// run does one call: its steps in a transaction of their own, repeated while
// others are in the way.
func (s *Store) run(ctx context.Context, c call, steps ...step) error {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var err error
	for n := range attempts {
		if n > 0 && faultOf(err) != faultLocked && !pause(limited, n) {
			break
		}
		if err = once(limited, c, steps); err == nil {
			return nil
		}
		if faultOf(err) == faultLocked && c.around != nil {
			steps, c.around = c.around, nil
		} else if !repeatable(err) {
			break
		}
	}
	return wrap(ctx, c.what, err)
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
