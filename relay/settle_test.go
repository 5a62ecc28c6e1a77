package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// slowSettles is a store whose settles take their time.
type slowSettles struct {
	driver.Store
	n int
}

func (s *slowSettles) Settle(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
	s.n++
	<-time.After(2 * time.Millisecond)
	return s.Store.Settle(ctx, owner, outcomes, keep)
}

// A steady stream must not be written a few rows at a time, whatever the time a
// settle takes lets pile up.
func TestOutcomesThatComeDuringASettleWaitForOthers(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		slow := &slowSettles{Store: r.store}
		r.over(slow, relay.Config{})
		r.run()
		for i := range 1000 {
			r.write(ctx, numbered("A", i, i+1)...)
			<-time.After(time.Millisecond)
		}
		<-time.After(time.Second)
		r.wantStats(ctx, 0, 0, 1000, 0)
		if limit := 1000/20 + 2; slow.n > limit { // each waits for ten times what the last one took
			t.Errorf("%d settles in a second, expected at most %d", slow.n, limit)
		}
	})
}
