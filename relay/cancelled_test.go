package relay_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// once gives an event a single attempt, so that a wrongly counted one shows.
var once = relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Workers: 10, MaxAttempts: 1}}

// heeding listens for the given time, or until its context ends.
func heeding(d time.Duration, wrap func(error) error) func(r *rig) {
	return func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			if r.seen.note(e) > 1 {
				return nil
			}
			select {
			case <-time.After(d):
				return nil
			case <-ctx.Done():
				return wrap(ctx.Err())
			}
		})
	}
}

// The listener did nothing wrong: the relay has ended its context.
func TestARunThatTheRelayCancelsIsNoAttempt(t *testing.T) {
	for _, c := range []struct {
		name string
		wrap func(error) error
	}{
		{"as it is", func(err error) error { return err }},
		{"wrapped", func(err error) error { return fmt.Errorf("query: %w", err) }},
		{"in words", func(err error) error { return errors.New("query: " + err.Error()) }},
	} {
		t.Run("outage/"+c.name, func(t *testing.T) {
			bubble(t, once, heeding(40*time.Second, c.wrap), func(ctx context.Context, r *rig) {
				f := r.flaky(once)
				r.writeCold(ctx, events("A", 5)...)
				r.run()
				r.write(ctx, event("A", 5)) // hot
				pass(2 * time.Second)
				f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
				pass(30 * time.Second)
				f.Plan(nil)
				pass(time.Minute)
				r.wantStats(ctx, 0, 0, 6, 0)
			})
		})
		t.Run("lost/"+c.name, func(t *testing.T) {
			bubble(t, once, heeding(40*time.Second, c.wrap), func(ctx context.Context, r *rig) {
				var losing atomic.Bool
				s := &wrapped{Store: r.store}
				s.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
					if !losing.CompareAndSwap(true, false) {
						return r.store.Renew(ctx, owner, lease, rows)
					}
					lost := make([]driver.Held, len(rows))
					for i := range rows {
						lost[i] = rows[i].Held
					}
					return lost, nil
				}
				losing.Store(true)
				r.over(s, once)
				r.writeCold(ctx, events("A", 5)...)
				r.run()
				pass(time.Minute)
				if losing.Load() {
					t.Fatal("nothing was renewed")
				}
				r.wantStats(ctx, 0, 0, 5, 0)
			})
		})
		t.Run("locked/"+c.name, func(t *testing.T) {
			const locked = "A-00003"
			bubble(t, once, heeding(40*time.Second, c.wrap), func(ctx context.Context, r *rig) {
				r.writeCold(ctx, events("A", 5)...)
				r.run()
				pass(2 * time.Second)
				release := r.store.LockRow(locked)
				pass(30 * time.Second)
				release()
				pass(time.Minute)
				if n := r.seen.times(locked); n != 2 {
					t.Errorf("%d runs of the event whose row was locked, want one that was cancelled and another", n)
				}
				r.wantOnce(locked)
				r.wantStats(ctx, 0, 0, 5, 0)
			})
		})
	}
}

// What it says of itself counts all the same.
func TestACancelledRunThatSucceedsOrGivesUpIsHeard(t *testing.T) {
	for _, c := range []struct {
		name       string
		answer     error
		done, dead int64
	}{
		{"done", nil, 1, 0},
		{"permanent", outbox.Permanent(errBoom), 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, once, heeding(time.Hour, func(error) error { return c.answer }), func(ctx context.Context, r *rig) {
				f := r.flaky(once)
				r.writeCold(ctx, event("A", 1))
				r.run()
				pass(2 * time.Second)
				f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
				pass(30 * time.Second)
				f.Plan(nil)
				pass(time.Minute)
				r.wantStats(ctx, 0, 0, c.done, c.dead)
				if n := r.seen.times("A-00001"); n != 1 {
					t.Errorf("%d runs", n)
				}
			})
		})
	}
}
