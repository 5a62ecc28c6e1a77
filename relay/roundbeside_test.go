package relay_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// besideHot calls f while events of type B are written, which the round delivers as they
// come: that they go well says nothing about the others.
func (r *rig) besideHot(ctx context.Context, f func()) {
	r.t.Helper()
	ended, writing := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(writing)
		for i := 0; ; i++ {
			select {
			case <-ended:
				return
			case <-time.After(100 * time.Millisecond):
				r.write(ctx, event("B", i))
			}
		}
	}()
	f()
	close(ended)
	<-writing
	if n := len(r.seen.order()); n < 40 {
		r.t.Errorf("%d hot events were delivered meanwhile", n)
	}
}

func TestARoundGivesUpAlthoughHotEventsAreWrittenBesideIt(t *testing.T) {
	cfg := relay.Config{MaxUnsettled: 10, Lane: relay.LaneConfig{Interval: time.Second}}
	for name, prepare := range map[string]func(context.Context, *rig) *wrapped{
		"the history of a suspect cannot be written": func(ctx context.Context, r *rig) *wrapped {
			r.writeCold(ctx, event("A", 1))
			r.diesWith(ctx, 3)
			return r.failingFor(driver.Release, outbox.ErrStoreDown, 0)
		},
		"the attempt of a suspect cannot be written": func(ctx context.Context, r *rig) *wrapped {
			r.writeCold(ctx, event("A", 1))
			r.diesWith(ctx, 3)
			s := r.failingFor(driver.Release, outbox.ErrStoreDown, 0)
			s.renew = func(ctx context.Context, o driver.Owner, d time.Duration, rs []driver.Renewal) ([]driver.Held, error) {
				if len(rs) == 1 && rs[0].EventID == "A-00001" {
					return nil, outbox.ErrStoreDown
				}
				return r.store.Renew(ctx, o, d, rs)
			}
			return s
		},
		"more die than may be unsettled": func(ctx context.Context, r *rig) *wrapped {
			r.writeCold(ctx, events("A", 100)...)
			return r.failingFor(driver.Dead, outbox.ErrStoreDown, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, cfg, deadAndGood, func(ctx context.Context, r *rig) {
				r.over(prepare(ctx, r), cfg)
				r.besideHot(ctx, func() { r.unsettledRound(ctx) })
			})
		})
	}
}

// Nine others wait for the one worker, which hot events have too, and each run takes
// longer than the round has patience.
func TestARoundGoesOnWhileItsEventsWaitForHotOnes(t *testing.T) {
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second}}
	for _, hot := range []bool{false, true} {
		t.Run(map[bool]string{false: "beside a locked row of its own", true: "beside a locked hot row"}[hot], func(t *testing.T) {
			bubble(t, cfg, func(r *rig) {
				r.reg.Handle("A", func(ctx context.Context, _ outbox.Event) error { return failAfter(ctx, 17*time.Second, nil) })
				r.reg.Handle("B", func(context.Context, outbox.Event) error { return nil })
			}, func(ctx context.Context, r *rig) {
				r.writeCold(ctx, events("A", 10)...)
				if !hot {
					r.writeCold(ctx, event("B", 1))
				}
				var lock sync.Once
				r.over(r.settling(func(_ context.Context, outcomes []driver.Outcome) error {
					if hasOutcome(outcomes, "B-00001") {
						lock.Do(func() { time.AfterFunc(45*time.Second, r.store.LockRow("B-00001")) })
					}
					return nil
				}), cfg)
				time.AfterFunc(50*time.Millisecond, func() {
					if hot {
						r.write(ctx, event("B", 1))
					}
					r.write(ctx, event("A", 100), event("A", 101), event("A", 102))
				})
				if rep, err := r.relay.RunOnce(ctx); err != nil || rep != (relay.Report{Delivered: 14}) {
					t.Errorf("%+v, %v", rep, err)
				}
			})
		})
	}
}

// What is claimed may not start, since as many hot events are unsettled as may be.
func TestARoundEndsAlthoughAStatementWithHotOutcomesHangs(t *testing.T) {
	cfg := relay.Config{MaxUnsettled: 10, Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", 10)...)
		s := r.settling(func(ctx context.Context, _ []driver.Outcome) error { <-ctx.Done(); return ctx.Err() })
		s.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			<-time.After(time.Second)
			return r.store.Claim(ctx, req)
		}
		r.over(s, cfg)
		time.AfterFunc(100*time.Millisecond, func() {
			for i := range 20 {
				r.write(ctx, event("A", 100+i))
			}
		})
		limit, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		begun := time.Now()
		if _, err := r.relay.RunOnce(limit); !errors.Is(err, relay.ErrUnsettled) {
			t.Errorf("after %s: %v", time.Since(begun), err)
		}
	})
}
