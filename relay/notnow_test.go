package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

func TestAnEventThatIsPutOffForNoTimeIsNotTriedWithoutAPause(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			return outbox.RetryAfter(0)
		})
	}, func(ctx context.Context, r *rig) {
		r.over(slowClaims{slowClaims{r.store}}, everySecond) // slower than a run and its settle
		r.run()
		r.writeCold(ctx, event("A", 1))
		pass(time.Minute)
		if n := r.seen.times("A-00001"); n < 30 || n > 600 {
			t.Errorf("tried %d times in a minute", n)
		}
	})
}
