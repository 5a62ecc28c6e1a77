package relay

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
)

// reporter tells the hooks and the log how the statements of the loops fare.
type reporter struct {
	database *database
	spells   *spells
	log      *slog.Logger
	failed   func(observe.LoopErrorInfo)
}

// report reports the result of a loop's statement. One that failed will be sent
// again.
func (r *reporter) report(ctx context.Context, loop string, err error) {
	r.reportAt(ctx, time.Now(), loop, err)
}

// reportAt is report for a statement that failed then.
func (r *reporter) reportAt(ctx context.Context, then time.Time, loop string, err error) {
	if err == nil {
		r.worked(loop)
		return
	}
	if ctx.Err() != nil {
		return
	}
	call(r.failed, observe.LoopErrorInfo{Loop: loop, Err: err})
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

// refused reports that the database refuses the login. That does not pass by
// itself, so the start has failed if the database has never answered. Later on,
// a password may have been changed on one side before the other.
func (r *reporter) refused(loop string, err error) {
	if n, tell := r.spells.wrong("database"); tell {
		r.log.Error("outbox: the database refuses the relay's login; correct user, password or database name", "failures", n, "error", err)
	}
	if quit := r.database.quit.Load(); quit != nil && (loop == doingClaim || loop == doingLook) && r.database.refuses(time.Now()) {
		(*quit)(err)
	}
}

// worked ends what the log said about the loop. An outage is over when one of
// those loops works, and so does settling if it had failed.
func (r *reporter) worked(loop string) {
	if db := r.database; db.reached.Load() && !db.troubled.Load() {
		return
	}
	again, back := r.database.works(loop)
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
