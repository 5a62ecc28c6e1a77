package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// brokenBy ends the connection of each statement with a dead outcome, and counts all.
func (r *rig) brokenBy(sent *atomic.Int64) *wrapped {
	s := &wrapped{Store: r.store}
	s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
		sent.Add(1)
		for _, o := range outcomes {
			if o.Kind == driver.Dead {
				return nil, outbox.ErrStoreDown
			}
		}
		return r.store.Settle(ctx, owner, outcomes, keep)
	}
	return s
}

// The statements of some outcomes end the connection, each time: the server has a
// limit that the relay does not know, or a bug.
func TestOutcomesThatEndTheConnectionHoldUpNoOthers(t *testing.T) {
	for name, c := range map[string]struct {
		dies       func(id string) bool
		atOnce     int // events that are written first
		others     int // events that are written later, so many a second
		settled    int64
		statements int64 // within a minute in which nothing else happens
	}{
		"one of many":       {func(id string) bool { return id == "A-00005" }, 10, 1, 59, 60},
		"two of many":       {func(id string) bool { return id == "A-00005" || id == "A-00010" }, 10, 1, 58, 90},
		"a third after two": {func(id string) bool { return id <= "A-00002" }, 2, 3, 149, 120},
		"nothing after one": {func(id string) bool { return id == "A-00005" }, 10, 0, 9, 60},
		"nothing after two": {func(id string) bool { return id == "A-00000" || id == "A-00002" }, 4, 0, 2, 90},
		"one in ten":        {func(id string) bool { return id[len(id)-1] == '5' }, 0, 20, 900, 3500},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}
			bubble(t, cfg, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
					if r.seen.note(e); c.dies(e.ID) {
						return outbox.Permanent(errBoom)
					}
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				var sent atomic.Int64
				r.over(r.brokenBy(&sent), cfg)
				r.run()
				if c.atOnce > 0 {
					r.write(ctx, events("A", c.atOnce)...)
					pass(time.Second)
				}
				for i := range 50 {
					for j := range c.others {
						r.write(ctx, event("A", c.atOnce+i*c.others+j))
					}
					pass(time.Second)
				}
				pass(30 * time.Second)
				if n := r.stats(ctx).Done.N; n != c.settled {
					t.Errorf("%d of %d other events are settled", n, c.settled)
				}
				r.wantOnce("")
				sent.Store(0)
				pass(time.Minute)
				if n := sent.Load(); n > c.statements {
					t.Errorf("%d statements within a minute in which nothing else happens, at most %d expected", n, c.statements)
				}
			})
		})
	}
}

// An outage must not make the relay send everything that it has, one after the other.
func TestOutcomesWaitTogetherForADatabaseThatIsAway(t *testing.T) {
	cfg := relay.Config{SettleBatch: 1, MaxUnsettled: 500}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		var sent atomic.Int64
		var back atomic.Bool
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			if sent.Add(1); !back.Load() {
				return nil, outbox.ErrStoreDown
			}
			return r.store.Settle(ctx, owner, outcomes, keep)
		}
		r.over(s, cfg)
		r.run()
		r.write(ctx, events("A", 400)...)
		pass(time.Minute)
		if n := sent.Load(); n > 150 {
			t.Errorf("%d statements within a minute of an outage", n)
		}
		back.Store(true)
		pass(5 * time.Second)
		if n := r.stats(ctx).Done.N; n != 400 {
			t.Errorf("%d of 400 events are settled", n)
		}
		r.wantOnce("")
	})
}

// One statement gets through, and the outage goes on.
func TestAnOutageThatIsInterruptedDoesNotMultiplyStatements(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		s := &wrapped{Store: r.store}
		var sent, through atomic.Int64
		s.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
			sent.Add(1)
			if through.Add(-1) >= 0 {
				return r.store.Settle(ctx, owner, outcomes, keep)
			}
			return nil, outbox.ErrStoreDown
		}
		r.over(s, relay.Config{})
		r.run()
		r.write(ctx, events("A", 500)...)
		pass(10 * time.Second)
		through.Store(1)
		r.write(ctx, event("A", 1000))
		pass(5 * time.Minute)
		sent.Store(0)
		pass(time.Minute)
		if n := sent.Load(); n > 150 {
			t.Errorf("%d statements within a minute of an outage", n)
		}
		through.Store(1 << 40)
		pass(10 * time.Second)
		if n := r.stats(ctx).Done.N; n != 501 {
			t.Errorf("%d of 501 events are settled after the outage", n)
		}
	})
}
