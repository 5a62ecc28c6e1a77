package relay

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
)

// database is the state of the database as the loops see it. An outage hits
// every loop, again and again: the log gets one line for all of them, and one
// when it is over.
type database struct {
	reached  atomic.Bool // it has let the relay in since the start
	troubled atomic.Bool // some loop has failed and not worked since
	quit     atomic.Pointer[context.CancelCauseFunc]

	mu      sync.Mutex
	failed  map[string]failure // the loops
	refused time.Time          // when it first refused the login, if it did so since the start
	ended   time.Time          // the last outage
}

// start forgets whether the database has let the relay in.
func (db *database) start() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.reached.Store(false)
	db.refused = time.Time{}
}

// failure is how a loop has failed since it worked last.
type failure struct {
	own  bool // at some time by itself
	down bool // the last time in an outage
}

// fails notes that a loop failed then, and reports whether the database is
// unavailable, or was.
func (db *database) fails(then time.Time, loop string, down bool) (away bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if !down && !then.After(db.ended) {
		return true
	}
	if db.failed == nil {
		db.failed = map[string]failure{}
	}
	db.failed[loop] = failure{own: db.failed[loop].own || !down, down: down}
	db.troubled.Store(true)
	for _, f := range db.failed {
		away = away || f.down
	}
	return away
}

// works notes that a loop works, and reports whether it alone had failed, and
// whether it shows that the database is back.
func (db *database) works(loop string) (again, back bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	again = db.failed[loop].own
	down := db.failed[loop].down
	delete(db.failed, loop)
	if loop == doingClaim || loop == doingLook || loop == doingSettle {
		db.reached.Store(true)
		back = !db.failed[doingSettle].down
		for l, f := range db.failed {
			down = down || f.down
			switch {
			case !f.down || l == doingSettle:
			case f.own:
				db.failed[l] = failure{own: true}
			default:
				delete(db.failed, l)
			}
		}
	}
	if back && down {
		db.ended = time.Now()
	}
	db.troubled.Store(len(db.failed) > 0)
	return again, back
}

// report reports the result of a loop's statement. One that failed will be sent
// again.
func (r *Relay) report(ctx context.Context, loop string, err error) {
	r.reportAt(ctx, time.Now(), loop, err)
}

// reportAt is report for a statement that failed then.
func (r *Relay) reportAt(ctx context.Context, then time.Time, loop string, err error) {
	if err == nil {
		r.worked(loop)
		return
	}
	if ctx.Err() != nil {
		return
	}
	call(r.hooks.LoopError, observe.LoopErrorInfo{Loop: loop, Err: err})
	down := errors.Is(err, outbox.ErrStoreDown) && loop != doingListen // which has its own connection
	away := r.database.fails(then, loop, down)
	if errors.Is(err, outbox.ErrSchema) { // it let the relay in, to say so
		r.database.reached.Store(true)
	}
	switch {
	case loop == doingListen && away: // the same outage
	case loop != doingListen && errors.Is(err, outbox.ErrStoreLogin):
		r.refused(loop, err)
	case down:
		if n, tell := r.spells.wrong("database"); tell {
			r.log.Error("outbox: the database is unavailable, the relay waits for it", "failures", n, "doing", loop, "error", err)
		}
	default:
		if n, tell := r.spells.wrong(loop); tell {
			r.log.Error("outbox: "+loop+" failed, will try again", "failures", n, "error", err)
		}
	}
}

// loginPatience is for how long a start goes on although the login is refused:
// of several hosts, one may be a standby that does not know the user yet.
const loginPatience = 5 * time.Second

// refuses notes that the database refused the login, and reports whether it has
// done so since the start and will go on.
func (db *database) refuses(now time.Time) bool {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.refused.IsZero() {
		db.refused = now
	}
	return !db.reached.Load() && now.Sub(db.refused) >= loginPatience
}

// refused reports that the database refuses the login. That does not pass by
// itself, so the start has failed if the database has never answered. Later on,
// a password may have been changed on one side before the other.
func (r *Relay) refused(loop string, err error) {
	if n, tell := r.spells.wrong("database"); tell {
		r.log.Error("outbox: the database refuses the relay's login; correct user, password or database name", "failures", n, "error", err)
	}
	if quit := r.database.quit.Load(); quit != nil && (loop == doingClaim || loop == doingLook) && r.database.refuses(time.Now()) {
		(*quit)(err)
	}
}

// The loops that always have something to send, and so notice that the database
// is back. Others may no longer have anything to send.
const (
	doingClaim  = "claim"
	doingLook   = "look"
	doingSettle = "settle"
	doingListen = "listen"
)

// worked ends what the log said about the loop. An outage is over when one of
// those loops works, and so does settling if it had failed.
func (r *Relay) worked(loop string) {
	db := &r.database
	if db.reached.Load() && !db.troubled.Load() {
		return
	}
	again, back := db.works(loop)
	if back {
		if lasted, n, tell := r.spells.over("database"); tell {
			r.log.Info("outbox: the database is back", "lasted", lasted, "failures", n)
		}
	}
	if again {
		if lasted, n, tell := r.spells.over(loop); tell {
			r.log.Info("outbox: "+loop+" works again", "lasted", lasted, "failures", n)
		}
	}
}
