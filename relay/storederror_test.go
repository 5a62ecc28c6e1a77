package relay_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

func TestAStoredErrorIsItsTextAndNotItsTypeInGo(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second, MaxAttempts: 1}}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { return errors.Join(errBoom, errors.New("bang")) })
		r.reg.Handle("B", func(context.Context, outbox.Event) error { return outbox.Permanent(errBoom) })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1), event("B", 1))
		settled()
		got := map[string]string{}
		for _, l := range r.letters(ctx) {
			got[l.EventID] = l.Error
		}
		if got["A-00001"] != "boom\nbang" || got["B-00001"] != "permanent: boom" {
			t.Errorf("stored %q", got)
		}
	})
}

func panicsFirst() { panic("first") }
func panicsSecond() {
	var none map[string]int
	none["a"] = 1 //nolint:govet // the panic is wanted
}

func TestAPanicInADeferredFunctionIsStoredWithWhereItWas(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second, MaxAttempts: 1}}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error {
			defer panicsSecond()
			panicsFirst()
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		settled()
		text := r.letters(ctx)[0].Error
		second, first := strings.Index(text, ".panicsSecond ("), strings.Index(text, ".panicsFirst (")
		if !strings.Contains(text, "nil map") || second < 0 || first < second || strings.Contains(text, "runtime.mapassign") {
			t.Errorf("stored %s", text)
		}
	})
}
