package relay

import (
	"context"
	"errors"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Relay delivers events. Make one with [New], pass its [Relay.HotPath] to the
// writers, and call [Relay.Run]. It is safe for concurrent use.
type Relay struct {
	owner    driver.Owner
	hot      *hotPath
	unrun    *unrun
	routes   *routes
	steps    *stepper
	staff    *staff
	database *database
	tenants  *tenants
	paused   *pausedLoop
	round    *round
	groups   *groups
	shutdown *shutdown
	taking   []loop // run until the shutdown begins
	holding  []loop // run until the last event is settled
}

// New makes a relay. It reports all conflicting registrations and invalid
// settings in one error.
func New(store driver.Store, reg *outbox.Registry, cfg Config) (*Relay, error) {
	cfg = cfg.withDefaults()
	if err := errors.Join(reg.Err(), cfg.validate()); err != nil {
		return nil, err
	}
	if _, ok := store.(driver.FairStore); cfg.fair() && !ok {
		return nil, errNotFair
	}
	return wire(store, reg, cfg), nil
}

// Owner is the name under which this relay claims.
func (r *Relay) Owner() driver.Owner { return r.owner }

// ErrRunning is returned by Run and RunOnce while the relay is already running.
var ErrRunning = errors.New("relay: already running")

// Run delivers until ctx is done, then shuts down within the drain timeout: it
// takes nothing new, finishes what it has, and gives back the rest. It survives
// outages of the database, but if the database refuses the login from the start,
// for five seconds, it returns an [outbox.ErrStoreLogin], and an
// [outbox.ErrSchema] if a lane is fair and the store is not prepared. After
// a shutdown it returns nil, or [ErrStillRunning]. A relay can be run again.
func (r *Relay) Run(ctx context.Context) error {
	if err := r.tenants.check(ctx); err != nil {
		return err
	}
	r.paused.lookBefore(ctx)
	if err := r.begin(ctx); err != nil {
		return err
	}
	ctx, quit := context.WithCancelCause(ctx)
	defer quit(nil)
	r.database.quit.Store(&quit)
	taking := start(ctx, r.taking)
	holdCtx, endHold := context.WithCancel(context.WithoutCancel(ctx))
	defer endHold()
	holding := start(holdCtx, r.holding)
	<-ctx.Done()
	r.database.quit.Store(nil)
	err := r.shutdown.run(holdCtx, taking, func() { endHold(); holding.Wait() })
	if cause := context.Cause(ctx); errors.Is(cause, outbox.ErrStoreLogin) {
		return join(cause, err)
	}
	return err
}

func (r *Relay) begin(ctx context.Context) error {
	began := r.steps.begin(ctx, func() {
		r.unrun.begun.Store(true)
		r.database.start()
		r.staff.open()
	})
	if !began {
		return ErrRunning
	}
	return nil
}
