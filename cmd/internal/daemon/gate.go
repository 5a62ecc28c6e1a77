package daemon

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
)

// gate is a store whose event types are claimed only while they may be.
type gate struct {
	dburl.Store
	open   func(eventType string) bool
	sweeps func() bool
}

// gate keeps back types whose entry has no sender, whatever becomes of types
// that no entry names, and with delays what waits for its initial-delay.
func (d *Daemon) gate(s dburl.Store, delays bool) dburl.Store {
	p, start := d.config.Publisher, time.Now()
	over := func(delay time.Duration) bool { return !delays || time.Since(start) >= delay }
	return &gate{
		Store:  s,
		sweeps: func() bool { return over(p.CleanUp.InitialDelay.Std()) },
		open: func(eventType string) bool {
			entry := d.entry(eventType)
			if entry == "" {
				return over(p.Defaults.InitialDelay.Std())
			}
			_, sender := d.config.SenderOf(entry)
			return sender != nil && over(p.Events[entry].InitialDelay.Std())
		},
	}
}

// Claim implements [driver.Store].
func (g *gate) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	wants := make([]driver.Want, 0, len(req.Wants))
	for _, w := range req.Wants {
		if g.open(w.Lane) {
			wants = append(wants, w)
		}
	}
	if req.Wants = wants; len(wants) == 0 {
		return nil, nil
	}
	return g.Store.Claim(ctx, req)
}

// Sweep implements [driver.Store].
func (g *gate) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if !g.sweeps() {
		return 0, nil
	}
	return g.Store.Sweep(ctx, age, limit)
}
