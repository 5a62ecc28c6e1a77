package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// slowPaused takes a second to say what is paused.
type slowPaused struct{ *memstore.Store }

func (s slowPaused) Paused(ctx context.Context) ([]driver.Pause, error) {
	<-time.After(time.Second)
	return s.Store.Paused(ctx)
}

// Writers hand over events from its beginning on.
func TestARoundDeliversNothingThatIsPausedBeforeItsFirstLook(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.over(slowPaused{r.store}, everySecond)
		r.setPaused(ctx, "", "A", true)
		done := make(chan error)
		go func() {
			_, err := r.relay.RunOnce(ctx)
			done <- err
		}()
		pass(500 * time.Millisecond)
		r.write(ctx, event("A", 1))
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := len(r.seen.order()); n != 0 {
			t.Errorf("%d were delivered during the pause", n)
		}
	})
}
