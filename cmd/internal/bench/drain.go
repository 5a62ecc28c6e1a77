package bench

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// fillBatch is the number of events that one transaction fills in.
const fillBatch = 1000

// Drain fills a table with waiting events and then times the relays until all
// are delivered and settled. The latency of an event is counted from the start
// of the relays.
func Drain(ctx context.Context, db *dburl.Handle, cfg Config) (Result, error) {
	return with(ctx, db, cfg, func(ctx context.Context, r *rig) error {
		r.say("Filling in %d events of %d bytes.", r.cfg.Events, r.cfg.Payload)
		filled, err := r.fill(ctx)
		if err != nil {
			return r.db.Problem("fill in events", err)
		}
		if err := r.prepare(); err != nil {
			return err
		}
		r.say("Draining.")
		r.start = time.Now()
		for n := range filled {
			r.ledger.Committed(n)
		}
		r.run(ctx, func() { r.settle(ctx) })
		return nil
	})
}

// fill writes events as another process would, and returns how many.
func (r *rig) fill(ctx context.Context) (int, error) {
	w := r.db.Writer(outbox.WithLogger(quiet))
	for from := 0; from < r.cfg.Events; from += fillBatch {
		es := make([]outbox.Event, min(fillBatch, r.cfg.Events-from))
		for i := range es {
			es[i] = newEvent(from+i, r.cfg.Payload)
		}
		err := w.InTx(ctx, func(ctx context.Context, tx dburl.Tx) error { return tx.Write(ctx, es...) })
		if err != nil {
			return from, err
		}
	}
	return r.cfg.Events, nil
}
