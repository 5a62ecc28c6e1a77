package relay_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// guarded is a store whose password can be changed.
type guarded struct {
	driver.Store
	changed *atomic.Bool
}

func (s guarded) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	if s.changed.Load() {
		return nil, fmt.Errorf("%w: claim", outbox.ErrStoreLogin)
	}
	return s.Store.Claim(ctx, req)
}

func (s guarded) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if s.changed.Load() {
		return nil, fmt.Errorf("%w: lanes", outbox.ErrStoreLogin)
	}
	return s.Store.Lanes(ctx, after, limit)
}

func TestAPasswordThatIsChangedLaterIsWaitedFor(t *testing.T) {
	log, changed := &logged{}, &atomic.Bool{}
	cfg := relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.over(guarded{r.store, changed}, cfg)
		r.run()
		r.writeCold(ctx, event("A", 1))
		pass(10 * time.Second)
		changed.Store(true)
		r.writeCold(ctx, event("A", 2))
		pass(30 * time.Second)
		if told := log.with(slog.LevelError, "login"); len(told) != 1 {
			t.Errorf("the log has %+v, want one line", told)
		}
		changed.Store(false)
		pass(10 * time.Second)
		r.wantStats(ctx, 0, 0, 2, 0)
	})
}

func TestALoginThatIsRefusedFromTheStartEndsRun(t *testing.T) {
	changed := &atomic.Bool{}
	changed.Store(true)
	cfg := relay.Config{}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.over(guarded{r.store, changed}, cfg)
		ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		if err := r.relay.Run(ctx); !errors.Is(err, outbox.ErrStoreLogin) || ctx.Err() != nil {
			t.Errorf("Run returned %v, want ErrStoreLogin within seconds", err)
		}
		changed.Store(false) // and it can be run again
		r.run()
		r.write(ctx, event("A", 1))
		settled()
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}

func TestAHostThatDoesNotKnowTheUserYetIsWaitedFor(t *testing.T) {
	changed, cfg := &atomic.Bool{}, relay.Config{}
	changed.Store(true)
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.over(guarded{r.store, changed}, cfg)
		r.writeCold(ctx, event("A", 1))
		r.run()
		pass(3 * time.Second)
		changed.Store(false)
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}

// bare is a store whose tables are missing until somebody changes the password.
type bare struct{ guarded }

func (s bare) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	if !s.changed.Load() {
		return nil, fmt.Errorf("%w: claim", outbox.ErrSchema)
	}
	return s.guarded.Claim(ctx, req)
}

func (s bare) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if !s.changed.Load() {
		return nil, fmt.Errorf("%w: lanes", outbox.ErrSchema)
	}
	return s.guarded.Lanes(ctx, after, limit)
}

func TestARelayThatWasLetInAndFoundNoTablesWaitsForALogin(t *testing.T) {
	changed, cfg := &atomic.Bool{}, relay.Config{}
	bubble(t, cfg, recordA, func(_ context.Context, r *rig) {
		r.over(bare{guarded{r.store, changed}}, cfg)
		r.run()
		pass(time.Minute)
		changed.Store(true)
		pass(time.Minute)
		if len(r.done) > 0 {
			t.Error("Run has ended")
		}
	})
}
