package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// Its check passes, so several events try it one after the other, and its type has
// another destination, for which the relay goes on to claim.
func TestTrialsInVainDoNotClaimTheOtherRowsOverAndOver(t *testing.T) {
	var rows atomic.Int64
	cfg := relay.Config{
		Lane:  relay.LaneConfig{Interval: time.Second, DeliverBatch: 1},
		Hooks: observe.Hooks{Claimed: func(s observe.StatementInfo) { rows.Add(int64(s.Rows)) }},
	}
	s := &outboxtest.FlakySink{}
	s.Answer(func(context.Context, outbox.Message) error { return outbox.Unavailable(errBoom) })
	bubble(t, cfg, func(r *rig) {
		r.reg.Route("A", s, outbox.Otherwise())
		r.reg.HandleAggregate("Y", "A", func(context.Context, outbox.Event) error { return nil })
	}, func(ctx context.Context, r *rig) {
		r.over(slowClaims{r.store}, cfg)
		r.writeCold(ctx, events("A", 1000)...)
		r.run()
		pass(5 * time.Minute)
		rows.Store(0)
		pass(time.Minute)
		if n := rows.Load(); n > 10_000 {
			t.Errorf("%d rows were claimed in a minute in which nothing was delivered, of 1000", n)
		}
		s.Answer(nil)
		pass(time.Minute)
		if n := len(s.Sent()); n != 1000 {
			t.Errorf("%d of 1000 were sent within a minute after it came back", n)
		}
	})
}
