//go:build !race

package relay_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// MaxBytes bounds the payload bytes in memory, and Died is slow.
func TestDeathsThatWaitForDiedAreBoundedInBytes(t *testing.T) {
	var release chan struct{}
	waited := 0
	cfg := relay.Config{MaxBytes: 1 << 20, Died: func(_ context.Context, batch []relay.Death) error {
		<-release
		size := 0
		for i := range batch {
			size += len(batch[i].Event.JSON)
		}
		waited = max(waited, size)
		return nil
	}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { return outbox.Permanent(errors.New("no")) })
	}, func(ctx context.Context, r *rig) {
		release = make(chan struct{})
		r.run()
		for i := range 200 {
			e := event("A", i)
			e.JSON = []byte(fmt.Sprintf("%q", strings.Repeat("x", 100<<10)))
			r.write(ctx, e)
			pass(100 * time.Millisecond)
		}
		close(release)
		pass(time.Second)
		if waited > 4<<20 {
			t.Errorf("%d MiB of payloads waited for Died, MaxBytes is 1 MiB", waited>>20)
		}
	})
}
