package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// deliver hands a run to its destination, under one context, and classifies the
// results.
func (r *Relay) deliver(run *core.Run, answers []core.Answer) []core.Answer {
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
		err := r.deliverOne(ctx, first)
		return append(answers, r.answer(run, first, err, time.Since(first.Started())))
	}
	errs := r.deliverBatch(ctx, run.Items, ds)
	took := time.Since(first.Started())
	for i, it := range run.Items {
		answers = append(answers, r.answer(run, it, errs[i], took))
	}
	return answers
}

// cancelRun ends the context of a run.
func cancelRun(run *core.Run) { run.Handle.(*runContext).cancel() }

// caught turns a panic into an error. It is deferred. Panics of a type in the
// same place have one log line a minute.
func (r *Relay) caught(ctx context.Context, e *outbox.Event, err *error) {
	if p := recover(); p != nil {
		pe := newPanic(p)
		*err = pe
		if n, tell := r.spells.wrongFor(fmt.Sprint("panic ", e.Type, pe.stack[:min(len(pe.stack), 1)]), 0); tell {
			r.log.ErrorContext(ctx, "outbox: panic while handling an event", "event_id", e.ID, "event_type", e.Type, "panics", n, "panic", p, "stack", pe.stack)
		}
	}
}

// deliverOne runs the interceptors around one event.
func (r *Relay) deliverOne(ctx context.Context, it *core.Item) error {
	if it.Problem != nil {
		return notHanded{outbox.Permanent(it.Problem)}
	}
	ctx, entered, err := r.before(ctx, it.Event)
	if err != nil {
		r.after(ctx, it.Event, entered, err)
		return notHanded{err}
	}
	err = r.hand(ctx, it)
	r.after(ctx, it.Event, entered, err)
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

func (r *Relay) hand(ctx context.Context, it *core.Item) (err error) {
	t := targetOf(it.Dest)
	if t == nil {
		return r.unroutable()
	}
	defer r.caught(ctx, it.Event, &err)
	return t.DeliverOne(ctx, *it.Event)
}

// deliverBatch runs the interceptors around each event, and hands the events
// that pass to the destination together.
func (r *Relay) deliverBatch(ctx context.Context, batch []*core.Item, ds []outbox.Delivery) []error {
	es := make([]outbox.Event, 0, len(batch))
	index := make([]int, 0, len(batch))
	entered, errs := make([]int, len(batch)), make([]error, 0, len(batch))
	ctxs := make([]context.Context, len(batch))
	for i, it := range batch {
		err := it.Problem
		ctxs[i] = ctx //nolint:fatcontext // each event has its own
		if err != nil {
			err = notHanded{outbox.Permanent(err)}
		} else if ctxs[i], entered[i], err = r.before(r.own(ctx, ds[i:i+1:i+1]), it.Event); err != nil {
			err = notHanded{err}
		} else {
			es, index = append(es, *it.Event), append(index, i)
		}
		errs = append(errs, err)
	}
	if len(es) > 0 {
		for j, err := range r.handAll(ctx, targetOf(batch[0].Dest), es) {
			errs[index[j]] = err
		}
	}
	for i, it := range batch {
		err, _ := handedOver(errs[i])
		r.after(ctxs[i], it.Event, entered[i], err)
	}
	return errs
}

// own is the context of one event of a batch, for interceptors alone.
func (r *Relay) own(ctx context.Context, ds []outbox.Delivery) context.Context {
	if len(r.cfg.Interceptors) == 0 {
		return ctx
	}
	return driver.ContextWithDeliveries(ctx, ds)
}

func (r *Relay) handAll(ctx context.Context, t driver.Destination, es []outbox.Event) (errs []error) {
	var err error
	var left []func([]error) // of the interceptors that were entered
	defer func() {
		for i := len(left) - 1; i >= 0; i-- {
			r.leave(ctx, &es[0], left[i], errs)
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
	defer r.caught(ctx, &es[0], &err)
	for _, in := range r.cfg.Interceptors {
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

func (r *Relay) leave(ctx context.Context, e *outbox.Event, end func([]error), errs []error) {
	var ignored error
	defer r.caught(ctx, e, &ignored)
	end(errs)
}

// before enters the interceptors in order and returns how many it entered.
func (r *Relay) before(ctx context.Context, e *outbox.Event) (out context.Context, entered int, err error) {
	out = ctx
	if len(r.cfg.Interceptors) == 0 {
		return out, 0, nil
	}
	defer r.caught(ctx, e, &err)
	for _, in := range r.cfg.Interceptors {
		if in.Before != nil {
			next, err := in.Before(out, *e)
			if err != nil {
				return out, entered, err
			}
			out = next //nolint:fatcontext // each interceptor may add to it
		}
		entered++
	}
	return out, entered, nil
}

// after leaves them in reverse order.
func (r *Relay) after(ctx context.Context, e *outbox.Event, entered int, err error) {
	for i := entered - 1; i >= 0; i-- {
		r.afterOne(ctx, r.cfg.Interceptors[i], e, err)
	}
}

func (r *Relay) afterOne(ctx context.Context, in outbox.Interceptor, e *outbox.Event, err error) {
	if in.After == nil {
		return
	}
	var ignored error
	defer r.caught(ctx, e, &ignored)
	in.After(ctx, *e, err)
}
