package relay_test

import (
	"context"
	"fmt"
	"math/rand"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// What runs does not count against what may wait.
func TestWorkersAreNotIdleBesideAnotherLane(t *testing.T) {
	const lanes = 2
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 100, Interval: time.Second}}
	var busy [2]atomic.Int64
	var mu sync.Mutex
	rnd := rand.New(rand.NewSource(1))
	bubble(t, cfg, func(r *rig) {
		for i := range lanes {
			r.reg.Handle(fmt.Sprint("L", i), func(ctx context.Context, e outbox.Event) error {
				busy[i].Add(1)
				defer busy[i].Add(-1)
				mu.Lock()
				d := 5*time.Second + time.Duration(rnd.Int63n(int64(10*time.Second)))
				mu.Unlock()
				select {
				case <-time.After(d):
				case <-ctx.Done():
				}
				return nil
			})
		}
	}, func(ctx context.Context, r *rig) {
		for i := range lanes {
			r.writeCold(ctx, events(fmt.Sprint("L", i), 6000)...)
		}
		r.run()
		pass(3 * time.Minute)
		sum, n := 0, 0
		for range 600 {
			pass(100 * time.Millisecond)
			b := int(busy[0].Load())
			sum, n = sum+b, n+1
		}
		if sum/n < 95 {
			t.Errorf("%d of 100 workers are busy on average although thousands of rows wait", sum/n)
		}
	})
}
