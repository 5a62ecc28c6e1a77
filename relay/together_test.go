package relay_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// outage counts what relays have in their hands: started, and not known by
// them to be settled.
type outage struct {
	mu        sync.Mutex
	runs      map[string]int
	unsettled int
}

func (o *outage) run(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.runs[id]++
	o.unsettled++
}

func (o *outage) settled(i observe.StatementInfo) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i.Err == nil {
		o.unsettled -= i.Rows
	}
}

// inHand is how many events at most were running or not yet settled.
func (o *outage) inHand() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.unsettled, 0)
}

// extra is how many runs there were beyond one of each event.
func (o *outage) extra() (extra, events int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, n := range o.runs {
		extra += n - 1
	}
	return extra, len(o.runs)
}

// Scenario 70: relays that come back at once, while those that are still
// running meet each other's leases, all of them over.
func TestRelaysThatComeBackAtOnceAfterThreeLeasesDoubleAtMostWhatWasUnsettled(t *testing.T) {
	const relays, total = 4, 2000
	var o = outage{runs: map[string]int{}}
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			o.run(e.ID)
			select {
			case <-time.After(300 * time.Millisecond):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, events("A", total)...)
		cfg := everySecond
		cfg.Logger = quietLog()
		cfg.Hooks.Settled = o.settled
		var stores []*outboxtest.FlakyStore
		running, stop := context.WithCancel(ctx)
		var ended sync.WaitGroup
		for range relays {
			f := outboxtest.NewFlakyStore(r.store)
			rel, err := relay.New(f, r.reg, cfg)
			if err != nil {
				t.Fatal(err)
			}
			stores = append(stores, f)
			ended.Go(func() {
				if err := rel.Run(running); err != nil {
					t.Error(err)
				}
			})
		}
		pass(2 * time.Second)
		for _, f := range stores {
			f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
		}
		held := o.inHand()
		before, _ := o.extra()
		pass(45 * time.Second)
		inHand := o.inHand() // what was claimed before may have been started meanwhile, while its lease held
		for _, f := range stores {
			f.Plan(nil)
		}
		pass(3 * time.Minute)
		stop()
		ended.Wait()
		extra, seen := o.extra()
		t.Logf("%d in hand as the outage began, %d as it ended; %d runs too many", held, inHand, extra)
		if before != 0 || extra > inHand || seen != total {
			t.Errorf("%d of %d events ran, %d times too often before the outage and %d in all; allowed are the %d in hand", seen, total, before, extra, inHand)
		}
		r.wantStats(ctx, 0, 0, total, 0)
	})
}

// Scenario 70, with a server that is really away.
func TestRelaysWhoseServerIsAwayForThreeLeasesDoubleAtMostWhatWasUnsettled(t *testing.T) {
	if testing.Short() {
		t.Skip("keeps a server away for three leases: run without -short")
	}
	const relays, total, lease = 3, 3000, 2 * time.Second
	server := testenv.Control(t, testenv.Postgres15)
	url := testenv.Database(t, testenv.Postgres15)
	o := outage{runs: map[string]int{}}
	var started atomic.Int64
	half := make(chan struct{})
	reg := outbox.NewRegistry()
	reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
		o.run(e.ID)
		if started.Add(1) == total/3 {
			close(half)
		}
		select {
		case <-time.After(20 * time.Millisecond):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	cfg := fast
	cfg.Lease = lease
	cfg.Hooks.Settled = o.settled
	h := openDatabase(t, url, dburl.Options{})
	for i := 0; i < total; i += 500 {
		writeDB(t, h.Writer(), numbered("A", i, i+500)...)
	}
	var stops []func()
	for i := range relays {
		one := openDatabase(t, url, dburl.Options{Driver: []string{"pgx", "sql"}[i%2]})
		c := cfg
		c.Name = fmt.Sprint("relay-", i)
		_, stop := runRelay(t, one, reg, c)
		stops = append(stops, stop)
	}
	<-half
	server.Crash()
	<-time.After(3 * lease)
	inHand := o.inHand()
	server.Start()
	awaitDone(t, h, total, time.Minute)
	for _, stop := range stops {
		stop()
	}
	extra, seen := o.extra()
	t.Logf("%d in hand as the server came back; %d runs too many", inHand, extra)
	if seen != total || extra > inHand {
		t.Errorf("%d of %d events ran, %d times too often; allowed are the %d in hand", seen, total, extra, inHand)
	}
	if s, err := h.Store.Stats(t.Context()); err != nil || s.Waiting.N+s.Held.N+s.Dead.N != 0 {
		t.Errorf("left behind: %+v, %v", s, err)
	}
}
