package relay_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// noChance makes every attempt that is counted the last.
var noChance = relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Retry: retry.Fixed(time.Second), MaxAttempts: 1}}

// refusing is a sink that is there for every check and for no message, as a
// webhook that answers HEAD with 405 and POST with 503, or a broker whose
// topic has no leader.
func refusing(s *outboxtest.FlakySink, away *atomic.Bool) {
	away.Store(true)
	s.Answer(func(context.Context, outbox.Message) error {
		if away.Load() {
			return outbox.Unavailable(errBoom)
		}
		return nil
	})
}

// Law 6.
func TestAnOutageThatTheCheckDoesNotSeeDeadLettersNothing(t *testing.T) {
	for _, n := range []int{1, 2, 3, 150} {
		t.Run(fmt.Sprint(n, " events"), func(t *testing.T) {
			sinkRig(noChance, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
				var away atomic.Bool
				refusing(s, &away)
				f := r.flaky(noChance)
				r.run()
				r.writeCold(ctx, events("A", n)...)
				pass(time.Hour)
				if ls := r.letters(ctx); len(ls) > 0 {
					t.Fatalf("%d dead letters: %+v", len(ls), ls[0])
				}
				if s.Checks() > 3600/10 || f.Calls(outboxtest.OpSettle) > 3600/5 {
					t.Errorf("%d checks and %d settles in an hour", s.Checks(), f.Calls(outboxtest.OpSettle))
				}
				away.Store(false)
				pass(time.Minute)
				if len(s.Sent()) != n {
					t.Errorf("sent %d of %d", len(s.Sent()), n)
				}
				r.wantStats(ctx, 0, 0, int64(n), 0)
			})
		})
	}
}

// Law 6, where the destination comes back for moments in between.
func TestAnOutageWithShortRecoveriesDeadLettersNothing(t *testing.T) {
	sinkRig(noChance, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		var away atomic.Bool
		refusing(s, &away)
		r.run()
		for i := range 30 {
			r.writeCold(ctx, events("A", 20*(i+1))[20*i:]...)
			pass(2 * time.Minute)
			away.Store(false)
			pass(time.Duration(i) * 10 * time.Millisecond)
			away.Store(true)
		}
		away.Store(false)
		pass(time.Minute)
		if ls := r.letters(ctx); len(ls) > 0 {
			t.Errorf("%d dead letters: %+v", len(ls), ls[0])
		}
		r.wantStats(ctx, 0, 0, 600, 0)
	})
}

// cutting is a sink that some messages lose the connection to, and that notes
// when others arrive.
func cutting(s *outboxtest.FlakySink, poison func(id string) bool) (tries func(id string) int) {
	var mu sync.Mutex
	n := map[string]int{}
	var broken atomic.Bool
	s.Answer(func(_ context.Context, m outbox.Message) error {
		mu.Lock()
		n[m.Event.ID]++
		mu.Unlock()
		if poison(m.Event.ID) {
			broken.Store(true)
		}
		if broken.Load() { // the rest of the batch is lost with the connection
			return outbox.Unavailable(errBoom)
		}
		return nil
	})
	s.Mend(func() { broken.Store(false) })
	return func(id string) int {
		mu.Lock()
		defer mu.Unlock()
		return n[id]
	}
}

// Law 7.
func TestAMessageThatCutsTheConnectionDelaysNobodyWhileItIsAlone(t *testing.T) {
	sinkRig(everySecond, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		tries := cutting(s, func(id string) bool { return id == "A-00000" })
		r.run()
		r.writeCold(ctx, event("A", 0))
		pass(10 * time.Minute)
		if n := tries("A-00000"); n < 600/20 || n > 600/10 {
			t.Errorf("it was tried %d times in ten minutes, and not at the probe interval", n)
		}
		r.wantStats(ctx, 1, 0, 0, 0) // nobody can say that it is not the destination
		for i := range 20 {
			r.writeCold(ctx, event("A", i+1))
			pass(5 * time.Second)
			if n := len(s.Sent()); n != i+1 {
				t.Fatalf("sent %d of %d others", n, i+1)
			}
		}
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 20, 1)
	})
}

func TestSeveralMessagesThatCutTheConnectionDoNotKeepTheOthersBack(t *testing.T) {
	sinkRig(everySecond, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		cutting(s, func(id string) bool { return id < "A-00005" })
		r.run()
		r.writeCold(ctx, events("A", 200)...)
		pass(5 * time.Minute)
		if n := len(s.Sent()); n != 195 {
			t.Errorf("sent %d of 195", n)
		}
		for i := range 200 { // a few more now and then, which tell the five from an outage
			r.writeCold(ctx, event("A", 200+i))
			pass(10 * time.Second)
		}
		r.wantStats(ctx, 0, 0, 395, 5)
	})
}

// A listener has no check: it is never blamed on an event, but one must not
// keep the others back.
func TestAListenerThatIsUnavailableForOneEventGetsTheOthers(t *testing.T) {
	bubble(t, noChance, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if e.ID == "A-00000" {
				return outbox.Unavailable(errBoom)
			}
			r.seen.note(e)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.writeCold(ctx, events("A", 100)...)
		pass(5 * time.Minute)
		if n := len(r.seen.order()); n != 99 {
			t.Errorf("%d of 99 were delivered", n)
		}
		r.wantStats(ctx, 1, 0, 99, 0)
	})
}
