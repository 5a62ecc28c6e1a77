package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

var (
	errRefused = errors.New("simulated: no grant on the dead letters")

	errLost = fmt.Errorf("%w: simulated", outbox.ErrStoreDown)
	errSlow = fmt.Errorf("%w: simulated: %w", outbox.ErrStoreDown, context.DeadlineExceeded)
)

// statement is what a process sends to the database.
type statement[T any] struct {
	what     string
	timeout  time.Duration
	changes  []string // ids of rows: it waits for those that are locked
	carryOut func() (T, error)
}

// request sends a statement of the process to the database. It is executed
// once, twice or never, and done is called once: with its answer, or with an
// error, before or after that.
func request[T any](p *process, s statement[T], done func(T, error)) {
	w := p.world
	var zero T
	answered := false
	p.asked++
	answer := func(v T, err error) {
		if !answered {
			answered = true
			done(v, err)
			p.asked--
		}
	}
	there, back := w.between(50*time.Microsecond, 3*time.Millisecond), w.between(50*time.Microsecond, 3*time.Millisecond)
	if w.faulty() && w.chance(w.plan.slow) {
		there += w.between(0, 12*time.Second)
	}
	if s.what == "settle" && w.faulty() && w.chance(w.plan.slowSettle) {
		there += w.between(5*time.Second, 14*time.Second) // nearly a lease
	}
	lost := w.faulty() && w.chance(w.plan.loseRequest)
	again := w.faulty() && w.chance(w.plan.repeat)
	deaf := w.faulty() && w.chance(w.plan.loseAnswer)
	fails := s.what == "claim" && w.faulty() && w.chance(w.plan.failClaim)
	p.after(s.timeout, func() { answer(zero, errSlow) })
	if lost {
		w.say("%s: %s is lost on its way", p.name, s.what)
		return
	}
	execute := func() {
		if w.databaseDown() || fails {
			w.say("%s: %s finds no database", p.name, s.what)
			p.after(back, func() { answer(zero, errLost) })
			return
		}
		v, err := s.carryOut()
		if deaf {
			w.say("%s: the answer to %s is lost", p.name, s.what)
			return
		}
		p.after(back, func() { answer(v, err) })
	}
	begin := func() {
		if wait := w.waitForLocks(s.changes); wait > 0 {
			w.say("%s: %s waits for a locked row", p.name, s.what)
			w.after(wait, execute)
			return
		}
		execute()
	}
	w.after(there, begin) // even if the process is killed
	if again {
		w.say("%s: %s is sent twice", p.name, s.what)
		w.after(there+w.between(0, time.Second), begin)
	}
}

// lockedRows returns the rows that an answer says are locked, and any other
// error.
func lockedRows(err error) ([]driver.Held, error) {
	var locked *driver.LockedError
	if errors.As(err, &locked) {
		return locked.Rows, nil
	}
	return nil, err
}

// refuses reports whether the database refuses a statement with these outcomes.
func (w *world) refuses(rows []driver.Outcome) bool {
	return w.plan.refuseDead && w.faulty() && slices.ContainsFunc(rows, func(o driver.Outcome) bool { return o.Kind == driver.Dead })
}
