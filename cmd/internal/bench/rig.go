package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/tally"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// rig is one benchmark: a database, its listener's ledger, and relays.
type rig struct {
	db     *dburl.Handle
	cfg    Config
	ledger *tally.Ledger
	relays []*relay.Relay

	settled     atomic.Int64 // rows
	lastSettled atomic.Int64 // when, in nanoseconds after start
	start       time.Time

	mu   sync.Mutex
	fail error // the first failure of a transaction or a relay
}

// with prepares the tables, runs f, and drops them, also after a failure or an
// interrupt.
func with(ctx context.Context, db *dburl.Handle, cfg Config, f func(ctx context.Context, r *rig) error) (res Result, err error) {
	r := &rig{db: db, cfg: cfg.withDefaults(), ledger: tally.NewLedger(), start: time.Now()}
	defer func() { err = errors.Join(err, r.drop(context.WithoutCancel(ctx))) }()
	if err := r.create(ctx); err != nil {
		return Result{}, err
	}
	err = f(ctx, r)
	res, resultErr := r.result(context.WithoutCancel(ctx))
	return res, errors.Join(err, r.failure(), resultErr)
}

func (r *rig) create(ctx context.Context) error {
	if err := r.db.Schema.Migrate(ctx); err != nil {
		return r.db.Problem("create the tables of the benchmark", err)
	}
	err := r.db.Exec(ctx, "CREATE TABLE "+r.cfg.Orders+" (id VARCHAR(36) PRIMARY KEY, customer VARCHAR(64) NOT NULL, cents BIGINT NOT NULL)")
	return r.db.Problem("create the tables of the benchmark", err)
}

func (r *rig) drop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err := r.db.Problem("drop table "+r.cfg.Orders, r.db.Exec(ctx, "DROP TABLE IF EXISTS "+r.cfg.Orders))
	return errors.Join(err, r.db.DropOutbox(ctx))
}

// prepare makes the relays, which do not run yet.
func (r *rig) prepare() error {
	reg := outbox.NewRegistry()
	reg.Handle(lane, r.listen)
	var wakers []driver.Waker
	if r.cfg.Woken {
		waker, err := r.db.Waker("")
		if err != nil {
			return err
		}
		wakers = append(wakers, waker)
	}
	for i := range r.cfg.Relays {
		rel, err := relay.New(r.db.Store, reg, r.cfg.relayConfig(fmt.Sprintf("bench-%d", i+1), observe.Hooks{Settled: r.noteSettled}, wakers))
		if err != nil {
			return err
		}
		r.relays = append(r.relays, rel)
	}
	return nil
}

// listen is the listener: it counts and does nothing else.
func (r *rig) listen(ctx context.Context, e outbox.Event) error {
	n := numberOf(e)
	delivery, _ := outbox.DeliveryFrom(ctx)
	r.ledger.Begin(n, delivery.Hot)
	r.ledger.Done(n)
	return nil
}

func (r *rig) noteSettled(i observe.StatementInfo) {
	if i.Err != nil {
		return
	}
	r.settled.Add(int64(i.Rows - i.Stale))
	r.lastSettled.Store(int64(time.Since(r.start)))
}

// run runs the relays while f does.
func (r *rig) run(ctx context.Context, f func()) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	for _, rel := range r.relays {
		running.Go(func() {
			if err := rel.Run(ctx); err != nil {
				r.failed(err)
			}
		})
	}
	f()
	stop()
	running.Wait()
}

// settle waits until all that was committed is delivered and settled, or
// nothing comes any more.
func (r *rig) settle(ctx context.Context) {
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	last, since := int64(-1), time.Now()
	for {
		c := r.ledger.Counts()
		settled := r.settled.Load()
		if settled >= c.Written && c.Delivered >= c.Written {
			return
		}
		if now := settled + c.Delivered; now != last {
			last, since = now, time.Now()
		} else if time.Since(since) > r.cfg.Patience {
			r.failed(fmt.Errorf("nothing arrived for %s; %d of %d events were delivered", r.cfg.Patience, c.Delivered, c.Written))
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

func (r *rig) failed(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail == nil {
		r.fail = err
	}
}

func (r *rig) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fail
}

func (r *rig) say(format string, args ...any) {
	if r.cfg.Progress != nil {
		r.cfg.Progress(format, args...)
	}
}
