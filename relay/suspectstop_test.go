package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// idlingCheck is a sink whose connection check takes its time.
type idlingCheck struct{ seen *recorder }

func (s idlingCheck) Send(_ context.Context, batch []outbox.Message) []error {
	for _, m := range batch {
		s.seen.note(m.Event)
	}
	return nil
}

func (s idlingCheck) Check(context.Context) error {
	<-time.After(4900 * time.Millisecond)
	return nil
}

// It would be blamed if the process ended then.
func TestASuspectDoesNotBeginToRunWhileTheRelayStops(t *testing.T) {
	for _, c := range []struct {
		name  string
		drain time.Duration
	}{
		{"checked before the shutdown is over", 5 * time.Second},
		{"checked after the shutdown", time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, relay.Config{}, func(r *rig) {
				r.reg.Route("A", idlingCheck{r.seen})
			}, func(ctx context.Context, r *rig) {
				r.writeCold(ctx, event("A", 1))
				for range 3 { // whose owners go away
					_, err := r.store.Claim(ctx, driver.ClaimRequest{
						Owner: driver.NewOwner("gone"), Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}},
					})
					if err != nil {
						t.Fatal(err)
					}
					pass(2 * time.Second)
				}
				cfg := everySecond
				cfg.DrainTimeout = c.drain
				s := &noting{Store: r.store}
				r.over(s, cfg)
				r.stays = true
				r.run()
				r.stop()
				pass(10 * time.Second)
				if n := r.seen.times("A-00001"); n != 0 {
					t.Errorf("%d runs", n)
				}
				if len(s.attempts) != 0 {
					t.Errorf("attempts written: %v", s.attempts)
				}
			})
		})
	}
}
