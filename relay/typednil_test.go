package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

type codeError struct{ code string }

func (e *codeError) Error() string { return e.code }

// The classic mistake of Go: a nil pointer that is an error and not nil.
func TestAnErrorThatPanicsWhenReadIsAFailedAttempt(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			r.seen.note(e)
			var err *codeError
			return err
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(10 * time.Second)
		if n := r.seen.times("A-00001"); n != 3 {
			t.Errorf("%d runs, want 3", n)
		}
		r.wantStats(ctx, 0, 0, 0, 1)
	})
}
