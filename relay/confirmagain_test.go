package relay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// confirming runs a relay on which the first look-ups fail, and writes an event
// that must be looked up. It returns which events were delivered, and how.
func confirming(t *testing.T, fault outboxtest.Fault, times int, wait time.Duration) (hot, cold []string) {
	cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
	cfg.Hooks.Delivered = func(i observe.DeliveredInfo) {
		if i.Hot {
			hot = append(hot, i.Event.ID)
		} else {
			cold = append(cold, i.Event.ID)
		}
	}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		f := r.flaky(cfg)
		f.Plan(func(op outboxtest.Op, n int) outboxtest.Fault {
			if op == outboxtest.OpConfirm && n <= times {
				return fault
			}
			return outboxtest.None
		})
		r.w = outbox.NewWriter(released{r.store}, r.relay.HotPath(), outbox.WithLogger(quietLog()))
		r.run()
		e := event("A", 1)
		e.Headers = map[string]string{"savepoint": "s"}
		r.write(ctx, e)
		pass(wait)
	})
	return hot, cold
}

func TestAnEventIsLookedUpAgainDuringItsHeadStart(t *testing.T) {
	want := []string{"A-00001"}
	for name, tt := range map[string]struct {
		fault outboxtest.Fault
		times int
		wait  time.Duration
	}{
		"the answer is lost": {outboxtest.LoseAnswer, 1, 100 * time.Millisecond},
		"no connection":      {outboxtest.Refuse, 4, time.Second},
		"no answer":          {outboxtest.Hang, 1, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			if hot, cold := confirming(t, tt.fault, tt.times, tt.wait); !slices.Equal(hot, want) {
				t.Errorf("within %s hot %v, cold %v", tt.wait, hot, cold)
			}
		})
	}
	t.Run("for too long, so that it is claimed by id", func(t *testing.T) {
		if hot, cold := confirming(t, outboxtest.Refuse, 1000, 5*time.Second); !slices.Equal(hot, want) {
			t.Errorf("hot %v, cold %v", hot, cold)
		}
	})
}
