package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/pace"
	"github.com/sendoff-go/outbox/relay"
)

// quiet is the log of the relay: the demo tells of dead events and outages in
// its own words.
var quiet = slog.New(slog.DiscardHandler)

// Demo is one run. Make it with [New]; State may be called while Run runs.
type Demo struct {
	db    *dburl.Handle
	cfg   Config
	books *books
	notes notes
	watch watch

	people people          // used by the goroutine that follows them, then by Run
	paused map[string]bool // event types; used by Run only

	abandon   sync.Once
	abandoned chan struct{} // closed

	mu    sync.Mutex
	phase Phase
	fatal error
}

// Phase is what a demo is doing.
type Phase string

// The phases, in order.
const (
	Starting Phase = "starting"
	Placing  Phase = "placing orders"
	Draining Phase = "delivering the rest"
	Ended    Phase = "ended"
)

// New makes a demo on an open database.
func New(db *dburl.Handle, cfg Config) *Demo {
	d := &Demo{db: db, cfg: cfg.withDefaults(), books: newBooks(), phase: Starting, abandoned: make(chan struct{})}
	d.people.seen = map[int64]bool{}
	d.watch.begin(d.books)
	return d
}

// Abandon ends the wait for the last events. It may be called at any time, and
// more than once.
func (d *Demo) Abandon() { d.abandon.Do(func() { close(d.abandoned) }) }

func (d *Demo) isAbandoned() bool {
	select {
	case <-d.abandoned:
		return true
	default:
		return false
	}
}

// Run places orders until the time is over or ctx is done, waits for the last
// events, and says what came of it. The summary is valid beside an error too.
func (d *Demo) Run(ctx context.Context) (Summary, error) {
	// What was begun is ended in good order, also after an interrupt.
	whole := context.WithoutCancel(ctx)
	defer d.closeConsole()
	if err := d.db.Schema.Migrate(ctx); err != nil {
		return Summary{}, d.db.Problem("create the outbox tables", err)
	}
	s := &shop{db: d.db, orders: d.cfg.Orders, books: d.books}
	reserve, err := s.reserver()
	if err != nil {
		return Summary{}, err
	}
	to := &accounting{books: d.books, start: time.Now()}
	r, err := relay.New(d.db.Store, d.books.registry(to, reserve), d.cfg.relayConfig(d.notes.hooks()))
	if err != nil {
		return Summary{}, err
	}
	s.writer = d.db.NotingWriter(d.books.commits(), r.HotPath(), outbox.WithLogger(quiet))
	if err := s.open(ctx); err != nil {
		return Summary{}, d.db.Problem("create the table of orders", err)
	}
	stop, err := d.operate(whole)
	if err != nil {
		return Summary{}, errors.Join(err, s.close(whole))
	}
	start := time.Now()
	d.trade(ctx, whole, s, r, func() { to.open.Store(true) }, stop)
	sum, err := d.audit(whole)
	sum.Seconds = time.Since(start).Seconds()
	if !d.cfg.Keep {
		err = errors.Join(err, d.db.Problem("drop the table of orders", s.close(whole)))
	}
	d.enter(Ended)
	return sum, errors.Join(d.failure(), err)
}

// trade runs shop and relay side by side, and the relay until the last events are
// delivered. It calls closed after the last order, and stop to end the console and
// the jobs, so that nobody asks for more.
func (d *Demo) trade(ctx, whole context.Context, s *shop, r *relay.Relay, closed, stop func()) {
	relayCtx, stopRelay := context.WithCancel(whole)
	var running sync.WaitGroup
	running.Go(func() {
		if err := r.Run(relayCtx); err != nil {
			d.fail(err)
		}
	})
	d.enter(Placing)
	placing, closeShop := context.WithCancel(ctx)
	defer closeShop()
	if d.cfg.For > 0 {
		defer time.AfterFunc(d.cfg.For, closeShop).Stop()
	}
	pace.Steady(placing, d.cfg.Rate, d.cfg.Limit, hands, func(ctx context.Context, n int) {
		if err := s.serve(ctx, n); err != nil && !d.bearable(err) {
			d.fail(err)
			closeShop()
		}
	})
	closed()
	d.enter(Draining)
	d.drain(whole)
	stop()
	d.drainAsked(whole)
	stopRelay()
	running.Wait()
}

// bearable reports an outage, which the demo sits out like any application.
func (d *Demo) bearable(err error) bool {
	err = d.db.Problem("", err)
	d.notes.failedTx(err)
	var p *dburl.Problem
	return errors.As(err, &p) && p.Kind == dburl.Down
}

func (d *Demo) enter(p Phase) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.phase = p
}

func (d *Demo) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fatal == nil {
		d.fatal = d.db.Problem("", fmt.Errorf("the demo cannot go on: %w", err))
	}
}

func (d *Demo) failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fatal
}
