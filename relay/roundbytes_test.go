package relay_test

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// The bound of the memory for payloads holds in a round as it does otherwise.
func TestARoundClaimsNoMoreBytesThanItMayHold(t *testing.T) {
	const size, n, most = 200_000, 100, 4 << 20
	cfg := relay.Config{MaxBytes: most}
	var held atomic.Int64
	var peak int64
	payload := append(append([]byte{'"'}, bytes.Repeat([]byte{'x'}, size)...), '"')
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			<-time.After(10 * time.Second)
			held.Add(-int64(len(e.JSON)))
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		s.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			<-time.After(time.Millisecond)
			rows, err := r.store.Claim(ctx, req)
			for i := range rows {
				held.Add(int64(len(rows[i].Event.Payload())))
			}
			peak = max(peak, held.Load())
			return rows, err
		}
		r.over(s, cfg)
		for i := range n {
			e := event("A", i)
			e.JSON = payload
			r.writeCold(ctx, e)
		}
		if rep, err := r.relay.RunOnce(ctx); err != nil || rep.Delivered != n {
			t.Errorf("%+v, %v", rep, err)
		}
		if peak > most {
			t.Errorf("%d bytes were held, at most %d expected", peak, most)
		}
	})
}
