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

// A round does not wait for one outcome for ever, and does not report what is not written.
func TestARoundEndsAlthoughAnOutcomeCannotBeWritten(t *testing.T) {
	for name, c := range map[string]struct {
		lock bool // the row, during its run
		want relay.Report
	}{
		"its row is locked":      {true, relay.Report{Delivered: 199}},
		"it ends the connection": {false, relay.Report{Delivered: 199}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, everySecond, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
					switch {
					case e.ID != "A-00000":
					case c.lock:
						r.store.LockRow(e.ID)
					default:
						return outbox.Permanent(errBoom)
					}
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				if !c.lock {
					r.over(r.failingFor(driver.Dead, outbox.ErrStoreDown, time.Second), everySecond)
				}
				r.writeCold(ctx, events("A", 200)...)
				limit, cancel := context.WithTimeout(ctx, time.Hour)
				defer cancel()
				rep, err := r.relay.RunOnce(limit)
				if !errors.Is(err, relay.ErrUnsettled) || rep != c.want {
					t.Errorf("%+v, %v", rep, err)
				}
			})
		})
	}
}
