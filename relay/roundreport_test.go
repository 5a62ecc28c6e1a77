package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// The event is delivered again when its lease ends.
func TestARoundDoesNotReportAnOutcomeThatIsGivenUp(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.over(r.settling(func(context.Context, []driver.Outcome) error { return errRefused }), everySecond)
		r.writeCold(ctx, event("A", 1))
		rep, err := r.relay.RunOnce(ctx)
		if !errors.Is(err, relay.ErrUnsettled) || rep != (relay.Report{}) {
			t.Errorf("%+v, %v", rep, err)
		}
		r.wantStats(ctx, 0, 1, 0, 0)
	})
}

// slowlyTold makes the hook of a delivery take so long.
func slowlyTold(d time.Duration) relay.Config {
	return relay.Config{
		Lane:  relay.LaneConfig{Interval: time.Second, Timeout: time.Second},
		Hooks: observe.Hooks{Delivered: func(observe.DeliveredInfo) { <-time.After(d) }},
	}
}

// Its outcome is written before anybody is told of it.
func TestASlowHookIsNoErrorOfARound(t *testing.T) {
	bubble(t, slowlyTold(20*time.Second), recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		if rep, err := r.relay.RunOnce(ctx); err != nil || rep != (relay.Report{Delivered: 1}) {
			t.Errorf("%+v, %v", rep, err)
		}
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}

// One is written, and its hook goes on; another listener outlives the round.
func TestARoundReportsNoNegativeNumbers(t *testing.T) {
	bubble(t, slowlyTold(200*time.Second), func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
		r.reg.Handle("S", func(context.Context, outbox.Event) error { <-time.After(300 * time.Second); return nil })
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		r.writeCold(ctx, event("S", 1))
		rep, err := r.relay.RunOnce(ctx)
		if !errors.Is(err, relay.ErrStillRunning) || rep != (relay.Report{Delivered: 1, Retried: 1}) {
			t.Errorf("%+v, %v", rep, err)
		}
		pass(400 * time.Second)
	})
}
