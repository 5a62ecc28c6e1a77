package pgxstore

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// call says what a method of the store is, which pool it uses and how long it
// may take.
type call struct {
	what    string
	pool    func() (*pgxpool.Pool, error)
	timeout time.Duration
	// planned: its statements keep one plan, made for any state of the table.
	planned bool
}

// relayCall is what a relay needs to go on.
func (s *Store) relayCall(what string) call {
	return call{what: what, pool: s.relay.get, timeout: s.config.StatementTimeout, planned: true}
}

// relaySweep is what a relay does beside that and may take longer.
func (s *Store) relaySweep(what string) call {
	return call{what: what, pool: s.relay.get, timeout: s.config.SweepTimeout}
}

// personCall is what people ask. They must not be able to take the relay's
// connections, so it uses the business's.
func (s *Store) personCall(what string) call {
	return call{
		what:    what,
		pool:    func() (*pgxpool.Pool, error) { return s.pool, nil },
		timeout: s.config.SweepTimeout,
	}
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
		if n > 0 && !pause(limited, n) {
			break
		}
		if err = once(limited, c, steps); err == nil {
			return nil
		}
		if !repeatable(err) {
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
