package inbox

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/backoff"
)

// Consume runs handle in a transaction of the ledger's database, notes in it
// that the group has had the event, and commits both. Use the context and the
// transaction that handle gets, and return the transaction's errors.
//
// An event that the group has had is skipped without an error. If handle fails
// or panics, effect and id are rolled back together, and Consume returns its
// error. While another consumer of the group is handling the same event,
// Consume waits: it skips the event if that one commits, and runs handle if it
// rolls back.
//
// It never runs handle twice. After a conflict with other transactions it
// begins again if handle has not run yet; otherwise it returns the error, so
// that the broker redelivers. After [outbox.ErrCommitUnknown], either both were
// committed or neither was, and the next delivery finds out which.
func (c *Consumer[Tx]) Consume(ctx context.Context, m outbox.Received, handle func(ctx context.Context, tx Tx) error) error {
	return c.ConsumeBatch(ctx, []outbox.Received{m}, func(ctx context.Context, tx Tx, _ []outbox.Received) error {
		return handle(ctx, tx)
	})
}

// ConsumeBatch is [Consumer.Consume] for many messages: handle gets those that
// are new, in their order, each once, and is not called if there are none. They
// are committed or rolled back together. A message whose id is missing or
// malformed fails the batch with a [MessageError], before anything is consumed.
func (c *Consumer[Tx]) ConsumeBatch(ctx context.Context, ms []outbox.Received, handle func(ctx context.Context, tx Tx, fresh []outbox.Received) error) error {
	if c.config.Around == nil || len(ms) == 0 {
		_, err := c.consume(ctx, ms, handle)
		return err
	}
	fresh, err := 0, errPanicked
	ctx, end := c.config.Around(ctx, ms)
	if end != nil {
		defer func() { end(fresh, err) }()
	}
	fresh, err = c.consume(ctx, ms, handle)
	return err
}

func (c *Consumer[Tx]) consume(ctx context.Context, ms []outbox.Received, handle func(ctx context.Context, tx Tx, fresh []outbox.Received) error) (fresh int, err error) {
	start := time.Now()
	items, err := c.accept(ctx, ms)
	if err != nil {
		c.tell(c.config.Hooks.ConsumeFailed, len(ms), start, err)
		return 0, err
	}
	d := &delivery[Tx]{consumer: c, items: items, left: items, handle: handle, start: start}
	if len(items) > 0 {
		err = d.run(ctx)
	}
	switch {
	case d.unknown: // neither consumed nor failed
	case err != nil:
		c.tell(c.config.Hooks.ConsumeFailed, len(d.left), start, err)
	default:
		c.fill(ctx, ids(d.left), d.start)
		c.tell(c.config.Hooks.Consumed, len(d.left), start, nil)
		c.tell(c.config.Hooks.Duplicated, len(ms)-len(d.left), start, nil)
		fresh = len(d.left)
	}
	return fresh, err
}

// delivery is one call of ConsumeBatch.
type delivery[Tx any] struct {
	consumer *Consumer[Tx]
	items    []item
	handle   func(ctx context.Context, tx Tx, fresh []outbox.Received) error

	start time.Time // before the transaction began
	left  []item    // not known to be duplicates
	ran   bool      // handle was called
	// unknown: the answer to the commit was lost.
	unknown bool
}

// attempts is how often a delivery is begun that conflicts with others.
const attempts = 6

func (d *delivery[Tx]) run(ctx context.Context) error {
	var err error
	for n := range attempts {
		if n > 0 && !backoff.Pause(ctx, n) {
			break
		}
		d.start = time.Now()
		if err = d.once(ctx); err == nil || d.ran || !errors.Is(err, outbox.ErrConflict) {
			break
		}
	}
	return err
}

func (d *delivery[Tx]) once(ctx context.Context) error {
	c := d.consumer
	tx, commit, rollback, err := c.ledger.Begin(ctx)
	if err != nil {
		return err
	}
	ended := false
	defer func() {
		if !ended { // handle panicked
			_ = rollback() // the panic says why
			c.tell(c.config.Hooks.ConsumeFailed, len(d.left), d.start, errPanicked)
		}
	}()
	d.left, err = c.record(ctx, tx, d.items)
	if err == nil && len(d.left) > 0 {
		d.ran = true
		err = d.handle(ctx, tx, messages(d.left))
	}
	ended = true
	if err != nil {
		if d.left == nil {
			d.left = d.items
		}
		return errors.Join(err, rollback())
	}
	if len(d.left) == 0 {
		_ = rollback() // nothing was written
		return nil
	}
	err = commit()
	d.unknown = errors.Is(err, outbox.ErrCommitUnknown)
	return err
}

var errPanicked = errors.New("inbox: the handler panicked")
