package relay_test

import (
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// lateClaims is a store whose claims are answered late, with all of its powers.
type lateClaims struct {
	driver.Store
	driver.ControlStore
}

func (s lateClaims) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	rows, err := s.Store.Claim(ctx, req)
	<-time.After(outboxtest.Lateness)
	return rows, err
}

func TestWhatAClaimFindsAfterItsLaneWasPausedIsGivenBack(t *testing.T) {
	cfg := relay.Config{LookInterval: 100 * time.Millisecond, Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.over(lateClaims{r.store, r.store}, cfg)
		r.writeCold(ctx, events("A", 3)...)
		r.run() // the claim is under way
		if err := r.store.SetPaused(ctx, driver.PausableLane("A"), true, "test"); err != nil {
			t.Fatal(err)
		}
		pass(30 * time.Second)
		r.wantStats(ctx, 3, 0, 0, 0)
		start := time.Now()
		r.stop()
		if took := time.Since(start); took > 100*time.Millisecond {
			t.Errorf("the shutdown took %s for events that are not to run", took)
		}
		r.wantStats(ctx, 3, 0, 0, 0)
	})
}
