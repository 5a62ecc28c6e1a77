package relay_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
)

// slowLog takes a minute for a line that says that a destination is back.
type slowLog struct{ slog.Handler }

func (l slowLog) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "destination is back") {
		<-time.After(time.Minute)
	}
	return nil
}

func (l slowLog) Enabled(context.Context, slog.Level) bool { return true }

func (l slowLog) WithAttrs([]slog.Attr) slog.Handler { return l }

func TestHooksHearOfADestinationInTheOrderOfWhatHappened(t *testing.T) {
	var mu sync.Mutex
	var away bool
	cfg := everySecond
	cfg.Logger = slog.New(slowLog{slog.DiscardHandler})
	cfg.Hooks = observe.Hooks{Breaker: func(i observe.BreakerInfo) {
		mu.Lock()
		defer mu.Unlock()
		away = i.Open
	}}
	sinkRig(cfg, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		s.SetDown(true)
		r.run()
		r.write(ctx, event("A", 1))
		pass(10 * time.Second)
		s.SetDown(false)
		for len(s.Sent()) == 0 {
			pass(100 * time.Millisecond)
		}
		s.SetDown(true) // while the log is told that it is back
		r.writeCold(ctx, event("A", 2))
		pass(2 * time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if !away {
			t.Error("the hook believes that the destination is there")
		}
	})
}
