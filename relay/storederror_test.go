package relay_test

import (
	"context"
	"errors"
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
