package relay

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// database is the state of the database as the loops see it. An outage hits
// every loop, again and again: the log gets one line for all of them, and one
// when it is over.
type database struct {
	reached  atomic.Bool                             // it has let the relay in since the start
	troubled atomic.Bool                             // some loop has failed and not worked since
	quit     atomic.Pointer[context.CancelCauseFunc] // ends Run; nil while none runs

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

// The loops that always have something to send, and so notice that the database
// is back. Others may no longer have anything to send.
const (
	doingClaim  = "claim"
	doingLook   = "look"
	doingSettle = "settle"
	doingListen = "listen"
)
