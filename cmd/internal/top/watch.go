package top

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/rates"
	"github.com/sendoff-go/outbox/driver"
)

// Source is the outbox that is watched.
type Source interface {
	Status(ctx context.Context) (admin.Status, error)
	Alerts(ctx context.Context, f driver.AlertFilter, limit int) ([]admin.Alert, error)
	// Problem adds to an error of the calls above what to do.
	Problem(doing string, err error) error
}

// View is what the screen shows.
type View struct {
	Status admin.Status
	Alerts []admin.Alert // open and not muted
	// Now is what happened in the last seconds, once two states were read; its rates
	// are not known before.
	Now    rates.Step
	Known  bool
	Relays map[string]rates.Relay
	Course []float64 // deliveries per second, one number per refresh
	At     time.Time // when it was read
	Err    error     // why there is nothing newer
}

const (
	// window is what "now" means: relays announce themselves every 5 s.
	window = 12 * time.Second
	// kept is how many refreshes the course shows.
	kept = 120
	// maxAlerts is how many are read.
	maxAlerts = 50
	// within bounds one reading: a screen that stands still must say why.
	within = 10 * time.Second
)

// watch reads an outbox again and again. It is safe for concurrent use.
type watch struct {
	from Source

	mu    sync.Mutex
	meter rates.Meter
	steps []rates.Step
	view  View
}

// look reads the outbox once.
func (w *watch) look(ctx context.Context) View {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		return w.view
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	s, err := w.from.Status(ctx)
	var alerts []admin.Alert
	if err == nil {
		alerts, err = w.from.Alerts(ctx, driver.AlertFilter{}, maxAlerts)
	}
	w.note(s, alerts, w.from.Problem("read the state of the outbox", err), time.Now())
	return w.view
}

// wait waits for a reading to end. The contexts of look must be done.
func (w *watch) wait() {
	w.mu.Lock()
	defer w.mu.Unlock()
}

func (w *watch) note(s admin.Status, alerts []admin.Alert, err error, now time.Time) {
	if w.view.Err = err; err != nil {
		w.meter.Skip()
		return
	}
	step, ok := w.meter.Add(s, now)
	if ok {
		w.steps = append(w.steps, step)
		for len(w.steps) > 1 && now.Sub(w.steps[0].At) >= window {
			w.steps = append(w.steps[:0], w.steps[1:]...)
		}
		w.view.Course = append(w.view.Course[:len(w.view.Course):len(w.view.Course)], step.PerSecond(step.Total.Delivered))
		if len(w.view.Course) > kept {
			w.view.Course = w.view.Course[1:]
		}
	}
	w.view.Status, w.view.At, w.view.Alerts = s, now, nil
	for _, a := range alerts {
		if a.ResolvedAt == nil && (a.MutedUntil == nil || a.MutedUntil.Before(now)) {
			w.view.Alerts = append(w.view.Alerts, a)
		}
	}
	w.view.Now, w.view.Known, w.view.Relays = rates.Sum(w.steps), len(w.steps) > 0, w.meter.Relays()
}
