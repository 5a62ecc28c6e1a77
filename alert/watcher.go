package alert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Store is what a watcher looks at, and where it keeps alerts. Every store of
// this project implements it.
type Store interface {
	driver.AlertStore
	driver.StatsStore
	driver.DeadLetterStore
	driver.ControlStore
	driver.InstanceStore
}

// Config configures a watcher. The zero value of a field that is not required
// means its default.
type Config struct {
	// Store holds the outbox. Required.
	Store Store
	// Rules are the thresholds. Default: those that [Rules] documents.
	Rules Rules
	// Interval is the time between two checks. An alert that nobody has seen
	// for three of them is resolved, so it must be the same in all processes.
	// Default 15 s.
	Interval time.Duration
	// Repeat is the time between two notifications of an open alert. Default 4 h.
	Repeat time.Duration
	// Retention is how long resolved alerts are kept. Default 30 days.
	Retention time.Duration
	// Notifiers tell people. Default: [Log] to Logger.
	Notifiers []Notifier
	// Logger gets what the watcher could not do. Default: slog.Default().
	Logger *slog.Logger
}

// quietIntervals is after how many intervals without a sighting an alert is
// resolved: a process that is slow once must not resolve what it alone sees.
const quietIntervals = 3

// Watcher applies rules at an interval. Make one with [New] and call
// [Watcher.Run] once, from one goroutine.
type Watcher struct {
	Config
	alone   time.Time         // since when there is no relay
	swept   time.Time         // when old alerts were last deleted
	reached map[string][]bool // notifiers that were told, of notifications that failed
	unsent  bool              // the last notifications failed
}

// New makes a watcher.
func New(c Config) (*Watcher, error) {
	switch {
	case c.Store == nil:
		return nil, errors.New("alert: set Store")
	case c.Interval < 0 || c.Repeat < 0 || c.Retention < 0:
		return nil, errors.New("alert: Interval, Repeat and Retention must not be negative: leave them zero for their defaults")
	}
	c.Rules = c.Rules.withDefaults()
	if err := c.Rules.validate(); err != nil {
		return nil, err
	}
	c.Interval = cmp.Or(c.Interval, 15*time.Second)
	c.Repeat = cmp.Or(c.Repeat, 4*time.Hour)
	c.Retention = cmp.Or(c.Retention, 30*24*time.Hour)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if len(c.Notifiers) == 0 {
		c.Notifiers = []Notifier{Log(c.Logger)}
	}
	return &Watcher{Config: c, reached: map[string][]bool{}}, nil
}

// Run checks the rules and tells people until ctx is done. While the database
// is down it tells nobody: that is up to the monitoring of the database.
func (w *Watcher) Run(ctx context.Context) {
	t := time.NewTicker(w.Interval)
	defer t.Stop()
	failing := ""
	for {
		err := w.round(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && failing != "":
			w.Logger.Info("outbox: the alert rules are checked again")
			failing = ""
		case err != nil && err.Error() != failing: // one line for an outage
			w.Logger.Error("outbox: the alert rules could not be checked, will try again", "error", err)
			failing = err.Error()
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

func (w *Watcher) round(ctx context.Context) error {
	state, err := w.look(ctx)
	if err != nil {
		return err // what is not seen must not be resolved
	}
	if err := w.Store.SeeAlerts(ctx, w.Rules.Evaluate(state), quietIntervals*w.Interval); err != nil {
		return err
	}
	return errors.Join(w.tell(ctx), w.sweep(ctx))
}

func (w *Watcher) look(ctx context.Context) (s State, err error) {
	stats, err := w.Store.Stats(ctx)
	if err != nil {
		return s, err
	}
	s.Lanes = stats.Lanes
	if s.Paused, err = w.Store.Paused(ctx); err != nil {
		return s, err
	}
	if s.Relays, err = w.Store.Instances(ctx); err != nil {
		return s, err
	}
	switch {
	case len(s.Relays) > 0:
		w.alone = time.Time{}
	case w.alone.IsZero():
		w.alone = time.Now()
	default:
		s.AloneFor = time.Since(w.alone)
	}
	if !w.Rules.off(DeadLetters) {
		s.Dead, err = w.Store.CountDead(ctx, driver.DeadFilter{DiedAfter: time.Now().Add(-w.Rules.DeadLettersWindow)})
	}
	return s, err
}

// tellBatch bounds how many alerts are claimed at once.
const tellBatch = 100

// tell sends the notifications that are due. What fails is due again at the next
// interval, since the claim ends by then.
func (w *Watcher) tell(ctx context.Context) error {
	due, err := w.Store.DueAlerts(ctx, w.Interval-w.Interval/10, tellBatch)
	if err != nil {
		return err
	}
	var told []driver.Alert
	var errs []error
	for _, a := range due {
		n := notificationOf(a)
		if err := w.notify(ctx, n); err != nil {
			errs = append(errs, fmt.Errorf("notify of alert %s (%s %s): %w", a.ID, a.Rule, n.Kind, err))
			continue
		}
		told = append(told, a)
	}
	if ctx.Err() == nil && len(due) > 0 {
		w.logUnsent(errors.Join(errs...))
	}
	return w.Store.ToldAlerts(ctx, told, w.Repeat)
}

// logUnsent writes one line when notifications begin to fail, and one when all
// get through again. The errors may differ each time.
func (w *Watcher) logUnsent(err error) {
	switch {
	case err != nil && !w.unsent:
		w.Logger.Error("outbox: a notification of an alert could not be sent, will try again", "error", err)
	case err == nil && w.unsent:
		w.Logger.Info("outbox: notifications of alerts are sent again")
	}
	w.unsent = err != nil
}

// notify tells each notifier that has not been told yet.
func (w *Watcher) notify(ctx context.Context, n Notification) error {
	reached := w.reached[n.ID]
	if reached == nil {
		reached = make([]bool, len(w.Notifiers))
	}
	var errs []error
	for i, to := range w.Notifiers {
		if reached[i] {
			continue
		}
		err := to.Notify(ctx, n)
		reached[i] = err == nil
		errs = append(errs, err)
	}
	err := errors.Join(errs...)
	if delete(w.reached, n.ID); err != nil && len(w.reached) < tellBatch*quietIntervals {
		w.reached[n.ID] = reached
	}
	return err
}

// sweepInterval is the pause between two deletions of old alerts.
const sweepInterval = time.Hour

func (w *Watcher) sweep(ctx context.Context) error {
	if !w.swept.IsZero() && time.Since(w.swept) < sweepInterval {
		return nil
	}
	w.swept = time.Now()
	_, err := w.Store.SweepAlerts(ctx, w.Retention, 1000)
	return err
}
