package relay_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// givesUp runs a round of which no outcome can be written. It has to end long before its
// context.
func (r *rig) givesUp(ctx context.Context) {
	r.t.Helper()
	if rep := r.unsettledRound(ctx); rep.Delivered != 0 || rep.Dead != 0 {
		r.t.Errorf("%+v, and nothing is written", rep)
	}
}

// unsettledRound runs a round that has to give up long before its context ends.
func (r *rig) unsettledRound(ctx context.Context) relay.Report {
	r.t.Helper()
	limit, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	begun := time.Now()
	rep, err := r.relay.RunOnce(limit)
	if took := time.Since(begun); took > time.Minute || !errors.Is(err, relay.ErrUnsettled) {
		r.t.Errorf("%+v, %v after %s", rep, err, took)
	}
	return rep
}

// Events that may not be claimed yet wait for a place that never becomes free.
func TestARoundEndsWhenAsMuchIsUnsettledAsMayBe(t *testing.T) {
	for name, c := range map[string]struct{ most, events int }{
		"a single one":     {1, 20},
		"two":              {2, 2},
		"not as many":      {10, 8},
		"as many":          {10, 10},
		"more":             {10, 100},
		"many more":        {10, 3000},
		"over the default": {0, 6000},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := relay.Config{MaxUnsettled: c.most, Lane: relay.LaneConfig{Interval: time.Second}}
			bubble(t, cfg, deadAndGood, func(ctx context.Context, r *rig) {
				var sent atomic.Int64
				r.over(r.brokenBy(&sent), cfg)
				r.writeCold(ctx, events("A", c.events)...)
				r.givesUp(ctx)
			})
		})
	}
}

func TestARoundEndsAlthoughTheTableOfDeadLettersIsLocked(t *testing.T) {
	cfg := relay.Config{MaxUnsettled: 10, Lane: relay.LaneConfig{Interval: time.Second}}
	for name, n := range map[string]int{"one dies": 1, "more die than may be unsettled": 100} {
		t.Run(name, func(t *testing.T) {
			bubble(t, cfg, deadAndGood, func(ctx context.Context, r *rig) {
				r.over(r.failingFor(driver.Dead, context.DeadlineExceeded, 5*time.Second), cfg)
				r.writeCold(ctx, events("A", n)...)
				r.givesUp(ctx)
			})
		})
	}
}

// A suspect goes back to the table for its history, and the round waits until it may be
// claimed again.
func TestARoundEndsAlthoughTheHistoryOfASuspectCannotBeWritten(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		r.diesWith(ctx, 3)
		r.over(r.settling(func(context.Context, []driver.Outcome) error { return outbox.ErrStoreDown }), everySecond)
		r.givesUp(ctx)
		if n := r.seen.times("A-00001"); n != 0 {
			t.Errorf("the suspect ran %d times", n)
		}
	})
}
