package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// delivery hands events to their destinations, with the interceptors around them.
type delivery struct {
	interceptors []outbox.Interceptor
	panics       *panics
	classifier   *classifier
	unroutable   error // of an event without a destination
}

// unroutableError is the error of an event without a destination. The advice says
// what to do about it, and may be "".
func unroutableError(advice string) error {
	if advice == "" {
		return driver.ErrUnroutable
	}
	return fmt.Errorf("%w: %s", driver.ErrUnroutable, advice)
}

// deliver hands a run to its destination, under one context, and classifies the
// results.
func (d *delivery) deliver(run *core.Run, answers []core.Answer) []core.Answer {
	runCtx := run.Handle.(*runContext)
	defer runCtx.cancel()
	first := run.Items[0]
	ds := make([]outbox.Delivery, len(run.Items))
	to := registered(first.Dest)
	for i, it := range run.Items {
		ds[i] = outbox.Delivery{
			EventID: it.Event.ID, Attempt: it.Attempts + 1, Seq: it.Held().Seq, Hot: it.Hot, CreatedAt: it.CreatedAt, Target: to,
		}
	}
	ctx := driver.ContextWithDeliveries(runCtx, ds)
	if len(run.Items) == 1 {
		err := d.deliverOne(ctx, first)
		return append(answers, d.classifier.answer(run, first, err, time.Since(first.Started())))
	}
	errs := d.deliverBatch(ctx, run.Items, ds)
	took := time.Since(first.Started())
	for i, it := range run.Items {
		answers = append(answers, d.classifier.answer(run, it, errs[i], took))
	}
	return answers
}

// cancelRun ends the context of a run.
func cancelRun(run *core.Run) { run.Handle.(*runContext).cancel() }

// deliverOne runs the interceptors around one event.
func (d *delivery) deliverOne(ctx context.Context, it *core.Item) error {
	if it.Problem != nil {
		return notHanded{outbox.Permanent(it.Problem)}
	}
	ctx, entered, err := d.before(ctx, it.Event)
	if err != nil {
		d.after(ctx, it.Event, entered, err)
		return notHanded{err}
	}
	err = d.hand(ctx, it)
	d.after(ctx, it.Event, entered, err)
	return err
}

// notHanded is the error of an event that did not reach its destination, and so
// says nothing about it.
type notHanded struct{ error }

// handedOver reports whether the event reached its destination, and returns the
// original error.
func handedOver(err error) (error, bool) { //nolint:revive // the error is the subject
	if n, ok := err.(notHanded); ok { //nolint:errorlint // always the outermost
		return n.error, false
	}
	return err, true
}

func (d *delivery) hand(ctx context.Context, it *core.Item) (err error) {
	t := targetOf(it.Dest)
	if t == nil {
		return d.unroutable
	}
	defer d.panics.caught(ctx, it.Event, &err)
	return t.DeliverOne(ctx, *it.Event)
}

// deliverBatch runs the interceptors around each event, and hands the events
// that pass to the destination together.
func (d *delivery) deliverBatch(ctx context.Context, batch []*core.Item, ds []outbox.Delivery) []error {
	es := make([]outbox.Event, 0, len(batch))
	index := make([]int, 0, len(batch))
	entered, errs := make([]int, len(batch)), make([]error, 0, len(batch))
	ctxs := make([]context.Context, len(batch))
	for i, it := range batch {
		err := it.Problem
		ctxs[i] = ctx //nolint:fatcontext // each event has its own
		if err != nil {
			err = notHanded{outbox.Permanent(err)}
		} else if ctxs[i], entered[i], err = d.before(d.own(ctx, ds[i:i+1:i+1]), it.Event); err != nil {
			err = notHanded{err}
		} else {
			es, index = append(es, *it.Event), append(index, i)
		}
		errs = append(errs, err)
	}
	if len(es) > 0 {
		for j, err := range d.handAll(ctx, targetOf(batch[0].Dest), es) {
			errs[index[j]] = err
		}
	}
	for i, it := range batch {
		err, _ := handedOver(errs[i])
		d.after(ctxs[i], it.Event, entered[i], err)
	}
	return errs
}

func (d *delivery) handAll(ctx context.Context, t driver.Destination, es []outbox.Event) (errs []error) {
	var err error
	var left []func([]error) // of the interceptors that were entered
	defer func() {
		for i := len(left) - 1; i >= 0; i-- {
			d.leave(ctx, &es[0], left[i], errs)
		}
	}()
	defer func() {
		if err != nil {
			errs = make([]error, len(es))
			for i := range errs {
				errs[i] = err
			}
		}
	}()
	defer d.panics.caught(ctx, &es[0], &err)
	for _, in := range d.interceptors {
		if in.AroundBatch != nil {
			next, end := in.AroundBatch(ctx, es)
			ctx = next //nolint:fatcontext // each interceptor may add to it
			if end != nil {
				left = append(left, end)
			}
		}
	}
	return t.Deliver(ctx, es)
}
