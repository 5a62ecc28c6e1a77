package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// More tenants than one claim lists have nothing that is due, or nothing more.
func TestARoundDeliversWhatIsDueOfEveryTenant(t *testing.T) {
	const n = 600
	for _, c := range []struct {
		name   string
		others func(w *waits) []outbox.Event
		due    int
	}{
		{"the first tenants have nothing due", func(w *waits) (es []outbox.Event) {
			for i := range 100 {
				es = append(es, w.tenant(fmt.Sprintf("a%03d", i), 0, 1)...)
				es[i].DeliverAfter = time.Hour
			}
			return es
		}, 0},
		{"the last tenants have nothing due", func(w *waits) (es []outbox.Event) {
			for i := range 100 {
				es = append(es, w.tenant(fmt.Sprintf("z%03d", i), 0, 1)...)
				es[i].DeliverAfter = time.Hour
			}
			return es
		}, 0},
		{"the last tenants have little", func(w *waits) (es []outbox.Event) {
			for i := range 100 {
				es = append(es, w.tenant(fmt.Sprintf("z%03d", i), 0, 1)...)
			}
			return es
		}, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWaits()
			bubble(t, relay.Config{Lane: fairLane(true)}, func(r *rig) {
				r.reg.Handle("A", w.handle(0))
			}, func(ctx context.Context, r *rig) {
				r.writeCold(ctx, c.others(w)...)
				r.writeCold(ctx, w.tenant("big", 0, n)...)
				rep, err := r.relay.RunOnce(ctx)
				if want := n + c.due; err != nil || rep.Delivered != want {
					t.Errorf("%+v, %v; want %d delivered", rep, err, want)
				}
			})
		})
	}
}
