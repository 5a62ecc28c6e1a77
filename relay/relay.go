package relay

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
)

// Relay delivers events. Make one with [New], pass its [Relay.HotPath] to the
// writers, and call [Relay.Run]. It is safe for concurrent use.
type Relay struct {
	store    driver.Store
	cfg      Config
	owner    driver.Owner
	log      *slog.Logger
	hooks    observe.Hooks
	routes   *routes
	notifier *Notifier
	staff    staff
	wakes    wakes
	turns    turns
	spells   spells
	outages  outages
	database database
	deaths   deaths
	begun    atomic.Bool
	fair     atomic.Bool  // the store is prepared for fair claims
	unfair   sync.Once    // logs once that it is not
	busy     atomic.Int64 // nanoseconds that workers have run events
	looks    atomic.Int64 // looks at what is paused that have begun
	unrun    sync.Once    // warns once that events are written for a relay that is not running
	tells    bool         // the core waits until the hooks have been told
	policies sync.Map     // lanes whose retry policy panicked, which is logged once
	late     sync.Map     // targets whose connection check still runs after its timeout
	warned   few          // what was reported as having no listener here
	// unlisted is until when lanes are claimed as a whole. Only claims use it, one
	// at a time.
	unlisted map[string]time.Time

	mu     sync.Mutex
	core   *core.Core // decides; use it only with mu held, for a step
	quiet  *quiet     // a caller waits until nothing is left to do
	runCtx context.Context
	looked int64 // the latest look at what is paused that was answered
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
	r := &Relay{
		store: store, cfg: cfg, owner: driver.NewOwner(cfg.Name), hooks: cfg.Hooks, core: core.New(cfg.core()),
		tells: cfg.core().Tell, wakes: newWakes(), deaths: deaths{wake: make(wakeup, 1)}, runCtx: context.Background(),
	}
	r.log = cfg.Logger.With("relay", cfg.Name)
	if n, ok := store.(driver.NotifyStore); ok {
		r.notifier = NewNotifier(n, r.log)
	}
	r.routes = newRoutes(r, reg)
	for _, t := range reg.Types() {
		r.routes.lane(t)
	}
	return r, nil
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
	if r.cfg.fair() {
		if err := r.checkFair(ctx); err != nil {
			return err
		}
	}
	r.lookBefore(ctx)
	if err := r.begin(ctx); err != nil {
		return err
	}
	ctx, quit := context.WithCancelCause(ctx)
	defer quit(nil)
	r.database.quit.Store(&quit)
	taking := start(ctx, r.pollLoop, r.lookLoop, r.pausedLoop, r.sweepLoop, r.retentionLoop, r.probeLoop, r.expireLoop, r.instanceLoop)
	for _, w := range r.cfg.Wakers {
		taking.add(ctx, func(ctx context.Context) { r.wakerLoop(ctx, w) })
	}
	holdCtx, endHold := context.WithCancel(context.WithoutCancel(ctx))
	defer endHold()
	holding := r.startHolding(holdCtx)
	<-ctx.Done()
	r.database.quit.Store(nil)
	err := r.shutdown(holdCtx, taking, func() { endHold(); holding.Wait() })
	if cause := context.Cause(ctx); errors.Is(cause, outbox.ErrStoreLogin) {
		return join(cause, err)
	}
	return err
}

// startHolding starts the loops that run until the last event is settled.
func (r *Relay) startHolding(ctx context.Context) *loops {
	return start(ctx, r.settleLoop, r.settleBesideLoop, r.apartLoop, r.holdLoop, r.takeLoop, r.confirmLoop, r.diedLoop)
}

func (r *Relay) begin(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.core.Start(time.Now()) {
		return ErrRunning
	}
	r.begun.Store(true)
	r.runCtx = context.WithoutCancel(ctx)
	r.database.start()
	r.staff.open()
	return nil
}

// loops is a group of background loops.
type loops struct{ sync.WaitGroup }

func start(ctx context.Context, fs ...func(context.Context)) *loops {
	g := &loops{}
	for _, f := range fs {
		g.add(ctx, f)
	}
	return g
}

func (g *loops) add(ctx context.Context, f func(context.Context)) { g.Go(func() { f(ctx) }) }

// pause waits for d, or for a signal of w (which may be nil), and reports
// false when ctx is done.
func pause(ctx context.Context, d time.Duration, w wakeup) bool {
	if ctx.Err() != nil {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-w:
	case <-ctx.Done():
		return false
	}
	return true
}
