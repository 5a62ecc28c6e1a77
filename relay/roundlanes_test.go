//go:build !race

package relay_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// More lanes than one claim names, with more rows than it takes of each, and a
// clock that does not move between two claims.
func TestARoundDrainsMoreTypesThanAClaimNames(t *testing.T) {
	const types, each = 600, 120
	name := func(i int) string { return fmt.Sprintf("type-%03d", i) }
	bubble(t, relay.Config{}, func(r *rig) {
		for i := range types {
			r.reg.Handle(name(i), func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
		}
	}, func(ctx context.Context, r *rig) {
		for i := range types {
			r.writeCold(ctx, events(name(i), each)...)
		}
		report, err := r.relay.RunOnce(ctx)
		if err != nil || report.Delivered != types*each {
			t.Errorf("%+v, %v; expected all %d", report, err, types*each)
		}
	})
}
