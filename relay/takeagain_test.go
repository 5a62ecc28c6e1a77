package relay_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// untaken is a store that refuses the first claims by id.
type untaken struct {
	driver.Store
	left *int
}

func (s untaken) Take(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Held) ([]driver.Held, error) {
	if *s.left--; *s.left >= 0 {
		return nil, errBoom
	}
	return s.Store.Take(ctx, owner, lease, rows)
}

func TestTheLogSaysWhenHotEventsAreTakenAgain(t *testing.T) {
	log, left := &logged{}, 3
	cfg := relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Workers: 1}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00001" {
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.over(untaken{r.store, &left}, cfg)
		r.run()
		r.write(ctx, event("A", 1))
		r.write(ctx, event("A", 2)) // waits for longer than its head start
		pass(10 * time.Second)
		close(r.gate)
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 2, 0)
		if told := log.with(slog.LevelError, "take failed"); len(told) != 1 {
			t.Errorf("the failure is told %d times", len(told))
		}
		if told := log.with(slog.LevelInfo, "take works again"); len(told) != 1 || told[0].attrs["failures"] != "3" {
			t.Errorf("its end gave %+v", told)
		}
	})
}
