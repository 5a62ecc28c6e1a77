package daemon

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/dburl"
)

// delayed is a store from which event types are taken, and rows deleted, only
// when their initial delay is over.
type delayed struct {
	dburl.Store
	start time.Time
	lane  func(eventType string) time.Duration
	sweep time.Duration
}

// delayed wraps a store, if anything has an initial delay.
func (d *Daemon) delayed(s dburl.Store) dburl.Store {
	p := d.config.Publisher
	longest := max(p.Defaults.InitialDelay, p.CleanUp.InitialDelay)
	for _, e := range p.Events {
		longest = max(longest, e.InitialDelay)
	}
	if longest == 0 {
		return s
	}
	return &delayed{Store: s, start: time.Now(), sweep: p.CleanUp.InitialDelay.Std(), lane: func(eventType string) time.Duration {
		if e := p.Events[d.entry(eventType)]; e != nil {
			return e.InitialDelay.Std()
		}
		return p.Defaults.InitialDelay.Std()
	}}
}

// Claim implements [outbox.Store].
func (s *delayed) Claim(ctx context.Context, req outbox.ClaimRequest) ([]outbox.Claimed, error) {
	running := time.Since(s.start)
	wants := make([]outbox.Want, 0, len(req.Wants))
	for _, w := range req.Wants {
		if running >= s.lane(w.Lane) {
			wants = append(wants, w)
		}
	}
	if req.Wants = wants; len(wants) == 0 {
		return nil, nil
	}
	return s.Store.Claim(ctx, req)
}

// Sweep implements [outbox.Store].
func (s *delayed) Sweep(ctx context.Context, age time.Duration, limit int) (int, error) {
	if time.Since(s.start) < s.sweep {
		return 0, nil
	}
	return s.Store.Sweep(ctx, age, limit)
}
