//go:build !race

package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// What is given up comes back when its lease ends, within the round.
func TestARoundTriesEachEventOnceAlthoughOutcomesAreRefused(t *testing.T) {
	t.Run("all of them", func(t *testing.T) {
		bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
			r.over(r.settling(func(context.Context, []driver.Outcome) error { return errRefused }), everySecond)
			r.writeCold(ctx, events("A", 5000)...)
			r.roundOfOneTry(ctx, relay.Report{})
		})
	})
	for name, c := range map[string]struct {
		err  error
		want relay.Report
	}{
		"ten that were delivered": {nil, relay.Report{Delivered: 4990}},
		"ten that failed":         {errBoom, relay.Report{Retried: 4990}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, everySecond, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
					r.seen.note(e)
					<-time.After(100 * time.Millisecond)
					return c.err
				})
			}, func(ctx context.Context, r *rig) {
				r.over(r.settling(func(_ context.Context, outcomes []driver.Outcome) error {
					for _, o := range outcomes {
						if o.EventID < "A-00010" {
							return errRefused
						}
					}
					return nil
				}), everySecond)
				r.writeCold(ctx, events("A", 5000)...)
				r.roundOfOneTry(ctx, c.want)
			})
		})
	}
}

// roundOfOneTry runs a round that tries every event once and leaves some unwritten.
func (r *rig) roundOfOneTry(ctx context.Context, want relay.Report) {
	r.t.Helper()
	limit, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	rep, err := r.relay.RunOnce(limit)
	if rep != want || !errors.Is(err, relay.ErrUnsettled) {
		r.t.Errorf("%+v, %v", rep, err)
	}
	for i := range 5000 {
		if id := event("A", i).ID; r.seen.times(id) != 1 {
			r.t.Fatalf("%s ran %d times", id, r.seen.times(id))
		}
	}
}
