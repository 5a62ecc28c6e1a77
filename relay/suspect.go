package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// lone runs suspects: events whose relays disappeared again and again.
type lone struct {
	store    driver.Store
	owner    driver.Owner
	lease    time.Duration
	steps    *stepper
	delivery *delivery
	checks   *checks
	reports  *reporter
}

// work makes sure that the destination is available: while a lone run waits
// for one that is unavailable, or for a connection, its process may end for
// another reason, and the event would be blamed. Then it writes the attempt,
// and runs the event.
func (l *lone) work(w *worker, it *core.Item) {
	var check *core.Breaker
	l.steps.step(func(c *core.Core) { check = c.Lone.Check(it) })
	if check != nil {
		if err := l.checks.check(l.steps.checkContext(), check, targetOf(it.Dest)); err != nil {
			l.steps.step(func(c *core.Core) { c.Lone.PutOff(it, err) })
			return
		}
	}
	run := l.prove(it)
	if run == nil {
		return
	}
	w.run = run
	answers := l.delivery.deliver(run, nil)
	w.run = nil
	if answers[0].Kind == core.Delivered {
		l.steps.step(func(c *core.Core) { run.Extend(c.Now().Add(l.lease)) })
		l.uncount(it)
	}
	l.steps.step(func(c *core.Core) { c.Runs.Finished(run, answers) })
}

// prove writes the attempt and renews the lease in one fenced statement. It
// returns nil if the event must not run.
func (l *lone) prove(it *core.Item) (run *core.Run) {
	var may bool
	l.steps.step(func(c *core.Core) { may = c.Lone.Proving(it) })
	if !may {
		return nil
	}
	sent := time.Now()
	lost, err := l.renew(it, it.Attempts+1)
	l.steps.step(func(c *core.Core) {
		if run = c.Lone.Proved(it, sent, len(lost) > 0, err); run != nil {
			l.steps.equipLocked(run)
		}
	})
	return run
}

// uncount takes back the attempt of a lone run that did not fail. If that
// statement fails, the delivered row shows one attempt too many: the outcome
// must not wait for it.
func (l *lone) uncount(it *core.Item) {
	attempts := it.Attempts
	if attempts == 0 {
		attempts = driver.NoAttempts
	}
	_, err := l.renew(it, attempts)
	l.reports.report(l.steps.context(), "renew", err)
}

// renew sets the attempts in the row and renews the lease.
func (l *lone) renew(it *core.Item, attempts int) (lost []driver.Held, err error) {
	row := driver.Renewal{Attempts: attempts}
	l.steps.step(func(*core.Core) { row.Held = it.Held() })
	ctx, cancel := context.WithTimeout(l.steps.context(), renewTimeout(l.lease))
	defer cancel()
	return l.store.Renew(ctx, l.owner, l.lease, []driver.Renewal{row})
}
