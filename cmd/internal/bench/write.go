package bench

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/pace"
	"github.com/sendoff-go/outbox/cmd/internal/tally"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// Write times business transactions with one event each, by several writers as
// fast as they can, or at a rate if there is one, until all are delivered and
// settled.
func Write(ctx context.Context, db *dburl.Handle, cfg Config) (Result, error) {
	if cfg.Rate > 0 {
		return Latency(ctx, db, cfg)
	}
	return with(ctx, db, cfg, func(ctx context.Context, r *rig) error {
		return r.traffic(ctx, func(do func(ctx context.Context, n int)) {
			r.say("Committing %d transactions by %d writers.", r.cfg.Events, r.cfg.Writers)
			whole := context.WithoutCancel(ctx)
			var next atomic.Int64
			var writers sync.WaitGroup
			for range r.cfg.Writers {
				writers.Go(func() {
					for ctx.Err() == nil && r.failure() == nil {
						n := int(next.Add(1)) - 1
						if n >= r.cfg.Events {
							return
						}
						do(whole, n)
					}
				})
			}
			writers.Wait()
		})
	})
}

// Latency commits business transactions with one event each at a steady rate,
// and measures how long after the answer to COMMIT the listener is called.
func Latency(ctx context.Context, db *dburl.Handle, cfg Config) (Result, error) {
	return with(ctx, db, cfg, func(ctx context.Context, r *rig) error {
		return r.traffic(ctx, func(do func(ctx context.Context, n int)) {
			r.say("Committing %d transactions at %g a second.", r.cfg.Events, r.cfg.Rate)
			ctx, stop := context.WithCancel(ctx)
			defer stop()
			pace.Steady(ctx, r.cfg.Rate, r.cfg.Events, r.cfg.Writers, func(ctx context.Context, n int) {
				if do(ctx, n); r.failure() != nil {
					stop()
				}
			})
		})
	})
}

// traffic runs relays and transactions side by side.
func (r *rig) traffic(ctx context.Context, writing func(do func(ctx context.Context, n int))) error {
	if err := r.prepare(); err != nil {
		return err
	}
	w := r.db.NotingWriter(r.commits(), r.hot(), outbox.WithLogger(quiet))
	r.start = time.Now()
	r.run(ctx, func() {
		writing(func(ctx context.Context, n int) { r.transact(ctx, w, n) })
		r.say("Waiting for the rest.")
		r.settle(context.WithoutCancel(ctx))
	})
	return nil
}

// hot leads to the first relay, or to all through the database.
func (r *rig) hot() outbox.WriterOption {
	if n, ok := r.db.Store.(driver.NotifyStore); ok && r.cfg.Woken {
		return relay.NewNotifier(n, quiet).OnCommit()
	}
	return r.relays[0].HotPath()
}

// commits notes what the writer commits.
func (r *rig) commits() func([]outbox.Event) {
	return tally.Commits(func(e outbox.Event) (*tally.Ledger, int) { return r.ledger, numberOf(e) })
}

// transact is one business transaction.
func (r *rig) transact(ctx context.Context, w dburl.Writer, n int) {
	err := w.InTx(ctx, func(ctx context.Context, tx dburl.Tx) error {
		err := tx.Exec(ctx, "INSERT INTO "+r.cfg.Orders+" (id, customer, cents) VALUES (?, ?, ?)", strconv.Itoa(n), "Ada", int64(n))
		if err != nil {
			return err
		}
		return tx.Write(ctx, newEvent(n, r.cfg.Payload))
	})
	if err == nil {
		return
	}
	if errors.Is(err, outbox.ErrCommitUnknown) {
		r.ledger.Unknown(n)
	}
	r.failed(r.db.Problem("commit a transaction", err))
}
