package relay_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

// quitting is a sink that is down once, and whose first check ends its
// goroutine.
type quitting struct {
	seen   *recorder
	checks int
}

func (s *quitting) Send(_ context.Context, batch []outbox.Message) []error {
	if s.seen.note(batch[0].Event) == 1 {
		return []error{outbox.Unavailable(errBoom)}
	}
	return nil
}

func (s *quitting) Check(context.Context) error {
	if s.checks++; s.checks == 1 {
		runtime.Goexit()
	}
	return nil
}

func TestACheckThatEndsItsGoroutineIsMadeAgain(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Route("A", &quitting{seen: r.seen})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}
