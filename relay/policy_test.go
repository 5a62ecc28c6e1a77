package relay_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

type panicking struct{}

func (panicking) Delay(int) time.Duration { panic("no such policy") }

func TestARetryPolicyThatPanicsIsReplacedByTheDefault(t *testing.T) {
	var log bytes.Buffer
	cfg := relay.Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Lane: relay.LaneConfig{Retry: panicking{}}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) < 4 {
				return errBoom
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, events("A", 3)...)
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 3, 0)
		r.stop()
		if n := strings.Count(log.String(), "retry policy panicked"); n != 1 {
			t.Errorf("it was logged %d times", n)
		}
	})
}
