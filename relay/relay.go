package relay

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
)

// Relay delivers events. Make one with [New], give it to the writers as their
// hook, and call [Relay.Run]. It is safe for concurrent use.
type Relay struct {
	store outbox.Store
	reg   *outbox.Registry
	cfg   Config
	owner outbox.Owner
	log   *slog.Logger
	hooks outbox.Hooks

	mu         sync.Mutex
	phase      phase
	lanes      map[string]*lane
	paused     map[string]bool
	keys       map[key]*queue // present while one of the aggregate is ready or runs
	held       map[string]*item
	stuck      map[string]*item // runs that ignore the end of their context
	suspects   queue
	lone       bool // a suspect runs, or is not settled yet
	reserved   map[string]reservation
	confirm    []*item
	decided    []*item
	aside      [][]*item // decided, and tried apart
	breakers   map[string]*breaker
	warned     map[string]bool // lanes that were reported as unclaimed
	counts     map[outbox.OutcomeKind]int
	failing    bool            // the last settle failed
	settleTook time.Duration   // of the last settle
	tried      map[string]bool // of RunOnce: the events that it has claimed
	notifier   *Notifier

	queued, running, unsettled, bytes int
	quiet                             chan struct{} // closed when nothing is left to do
	quietRows                         bool          // and nothing is left to settle

	pollWake, settleWake, holdWake, confirmWake, probeWake, asideWake wakeup

	runCtx   context.Context // of the listeners
	workers  sync.WaitGroup
	idle     []*worker
	employed bool // a worker got a task since this was last cleared
}

type phase uint8

const (
	resting phase = iota
	working
	draining // takes nothing new, finishes what it has
	stopping // starts nothing
)

// New makes a relay. It reports registrations that contradict each other and
// settings that make no sense, all at once.
func New(store outbox.Store, reg *outbox.Registry, cfg Config) (*Relay, error) {
	cfg = cfg.withDefaults()
	if err := errors.Join(reg.Err(), cfg.validate()); err != nil {
		return nil, err
	}
	r := &Relay{
		store: store, reg: reg, cfg: cfg, owner: outbox.NewOwner(cfg.Name), hooks: cfg.Hooks,
		lanes: map[string]*lane{}, paused: map[string]bool{}, keys: map[key]*queue{}, held: map[string]*item{},
		stuck: map[string]*item{}, reserved: map[string]reservation{}, breakers: map[string]*breaker{},
		warned: map[string]bool{}, counts: map[outbox.OutcomeKind]int{}, runCtx: context.Background(),
		pollWake: newWakeup(), settleWake: newWakeup(), holdWake: newWakeup(), confirmWake: newWakeup(), probeWake: newWakeup(),
		asideWake: newWakeup(),
	}
	r.log = cfg.Logger.With("relay", cfg.Name)
	if n, ok := store.(outbox.Notifier); ok {
		r.notifier = NewNotifier(n, r.log)
	}
	for _, t := range reg.Types() {
		r.lane(t)
	}
	return r, nil
}

// Owner is the name under which this relay claims.
func (r *Relay) Owner() outbox.Owner { return r.owner }

// ErrRunning is returned by a second Run, or by RunOnce beside Run.
var ErrRunning = errors.New("relay: already running")

// Run delivers until ctx is done, then shuts down within the drain timeout:
// it takes nothing new, finishes what it has, and gives back the rest. It
// survives the absence of the database and returns nil after a shutdown. A
// relay can be run again.
func (r *Relay) Run(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	taking := r.start(ctx, r.pollLoop, r.lookLoop, r.sweepLoop, r.probeLoop, r.reserveLoop, r.instanceLoop)
	for _, w := range r.cfg.Wakers {
		taking.add(ctx, func(ctx context.Context) { r.wakerLoop(ctx, w) })
	}
	holdCtx, endHold := context.WithCancel(context.WithoutCancel(ctx))
	defer endHold()
	holding := r.start(holdCtx, r.settleLoop, r.asideLoop, r.holdLoop, r.confirmLoop)
	<-ctx.Done()
	r.shutdown(holdCtx, taking, func() { endHold(); holding.Wait() })
	return nil
}

func (r *Relay) begin(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != resting {
		return ErrRunning
	}
	r.phase = working
	r.runCtx = context.WithoutCancel(ctx)
	now := time.Now()
	for _, l := range r.lanes {
		l.poll.next = now
	}
	for _, b := range r.breakers {
		b.busy = false // of a run that outlived the last shutdown
	}
	return nil
}

// loops is a group of background loops.
type loops struct{ sync.WaitGroup }

func (r *Relay) start(ctx context.Context, fs ...func(context.Context)) *loops {
	g := &loops{}
	for _, f := range fs {
		g.add(ctx, f)
	}
	return g
}

func (g *loops) add(ctx context.Context, f func(context.Context)) { g.Go(func() { f(ctx) }) }

// wakeup is a signal that is remembered once.
type wakeup chan struct{}

func newWakeup() wakeup { return make(wakeup, 1) }

func (w wakeup) signal() {
	select {
	case w <- struct{}{}:
	default:
	}
}

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

// loopError reports that a loop failed and will try again.
func (r *Relay) loopError(ctx context.Context, loop string, err error) {
	if ctx.Err() != nil {
		return
	}
	r.log.Error("outbox: "+loop+" failed, will try again", "error", err)
	if r.hooks.LoopError != nil {
		r.hooks.LoopError(outbox.LoopErrorInfo{Loop: loop, Err: err})
	}
}

// backoff grows from 50 ms to 2 s: short enough that a database that came back
// is noticed within seconds.
type backoff struct{ d time.Duration }

func (b *backoff) next() time.Duration {
	b.d = min(max(2*b.d, 50*time.Millisecond), 2*time.Second)
	return b.d
}

func (b *backoff) reset() { b.d = 0 }
