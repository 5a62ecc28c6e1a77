package relay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/store/memstore"
)

// deniedPaused is the store of a relay that lacks the right to read what is paused.
type deniedPaused struct{ *memstore.Store }

func (deniedPaused) Paused(context.Context) ([]driver.Pause, error) {
	return nil, errors.New("permission denied")
}

func TestARelayThatCannotReadWhatIsPausedFindsTypesOfAPattern(t *testing.T) {
	s := &outboxtest.FlakySink{}
	bubble(t, everySecond, func(r *rig) { r.reg.Route("x-*", s) }, func(ctx context.Context, r *rig) {
		r.over(deniedPaused{r.store}, everySecond)
		r.run()
		r.writeCold(ctx, event("x-1", 1))
		pass(time.Minute)
		if n := len(s.Sent()); n != 1 {
			t.Errorf("%d of 1 was sent", n)
		}
	})
}
