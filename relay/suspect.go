package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// employLone runs a suspect: an event whose relays disappeared again and again.
func (r *Relay) employLone(it *core.Item) {
	w := &worker{}
	r.staff.all.Go(func() {
		defer r.outlive(w)
		r.workLone(w, it)
	})
}

// workLone makes sure that the destination is available: while a lone run waits
// for one that is unavailable, or for a connection, its process may end for
// another reason, and the event would be blamed. Then it writes the attempt,
// and runs the event.
func (r *Relay) workLone(w *worker, it *core.Item) {
	var checked bool
	r.step(func(c *core.Core, _ time.Time, _ *core.Effects) { checked = it.Dest.JustChecked() })
	if t := targetOf(it.Dest); t != nil && t.Check() != nil && !checked {
		if err := r.check(r.context(), t, nil); err != nil {
			r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.PutOff(now, it, err, fx) })
			return
		}
	}
	run := r.prove(it)
	if run == nil {
		return
	}
	w.run = run
	answers := r.deliver(run, nil)
	w.run = nil
	if answers[0].Kind == core.Delivered {
		r.step(func(c *core.Core, now time.Time, _ *core.Effects) { run.Extend(now.Add(r.cfg.Lease)) })
		r.uncount(it)
	}
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Finished(now, run, answers, fx) })
}

// context returns the context of the listeners.
func (r *Relay) context() context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.runCtx
}

// prove writes the attempt and renews the lease in one fenced statement. It
// returns nil if the event must not run.
func (r *Relay) prove(it *core.Item) (run *core.Run) {
	var may bool
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { may = c.Proving(now, it, fx) })
	if !may {
		return nil
	}
	sent := time.Now()
	lost, err := r.renewLone(it, it.Attempts+1)
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) {
		if run = c.Proved(now, it, sent, len(lost) > 0, err, fx); run != nil {
			run.Handle = newRunContext(r.runCtx, run.Deadline)
		}
	})
	return run
}

// uncount takes back the attempt of a lone run that did not fail. If that
// statement fails, the delivered row shows one attempt too many: the outcome
// must not wait for it.
func (r *Relay) uncount(it *core.Item) {
	attempts := it.Attempts
	if attempts == 0 {
		attempts = driver.NoAttempts
	}
	_, err := r.renewLone(it, attempts)
	r.report(r.context(), "renew", err)
}

func (r *Relay) renewLone(it *core.Item, attempts int) (lost []driver.Held, err error) {
	r.mu.Lock()
	row := driver.Renewal{Held: it.Held(), Attempts: attempts}
	ctx, cancel := context.WithTimeout(r.runCtx, r.cfg.Lease/3)
	r.mu.Unlock()
	defer cancel()
	return r.store.Renew(ctx, r.owner, r.cfg.Lease, []driver.Renewal{row})
}
