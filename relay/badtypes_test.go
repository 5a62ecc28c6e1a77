package relay_test

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox"
)

func badType(i int) string { return fmt.Sprintf("bad-%02d", i) }

// badTypesAndGood are so many types whose events die, and type B, whose events do not.
func badTypesAndGood(n int) func(r *rig) {
	return func(r *rig) {
		for i := range n {
			r.reg.Handle(badType(i), func(context.Context, outbox.Event) error { return outbox.Permanent(errBoom) })
		}
		r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}
}
