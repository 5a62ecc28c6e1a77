package relay_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// Scenario 23.
func TestHotComesBeforeColdTwoToOneAndNeitherStarves(t *testing.T) {
	var order []string
	bubble(t, relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			if e.ID == "A-00000" {
				<-r.gate
				return nil
			}
			d, _ := outbox.DeliveryFrom(ctx)
			order = append(order, map[bool]string{true: "h", false: "c"}[d.Hot])
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 0)) // keeps the only worker
		r.writeCold(ctx, events("A", 40)[20:]...)
		pass(1100 * time.Millisecond)
		r.write(ctx, events("A", 19)[1:]...)
		close(r.gate)
		settled()
		got := strings.Join(order, "")
		if len(got) != 38 || strings.Count(got[:12], "h") != 8 {
			t.Errorf("order %s: of the first 12, 8 should be hot", got)
		}
	})
}

// Scenario 24.
func TestAFullHotQueueLeavesTheRowToThePoller(t *testing.T) {
	var dropped atomic.Int64
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 1, HotQueue: 3}}
	cfg.Hooks.HotDropped = func(i observe.QueueInfo) { dropped.Add(int64(i.N)) }
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error { <-r.gate; r.seen.note(e); return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		for i := range 10 {
			r.write(ctx, event("A", i))
		}
		if dropped.Load() == 0 {
			t.Error("nobody was told that the hot queue is full")
		}
		close(r.gate)
		pass(6 * time.Second)
		if n := len(r.seen.order()); n != 10 {
			t.Errorf("delivered %d times, want 10", n)
		}
		r.wantStats(ctx, 0, 0, 10, 0)
	})
}

// Scenario 27.
func TestRetryAfterMovesTheTimeAndCountsOnlyAsAnError(t *testing.T) {
	for _, c := range []struct {
		name     string
		err      error
		attempts int
	}{
		{"by itself it does not count", outbox.RetryAfter(20 * time.Second), 0},
		{"joined with an error it counts", errors.Join(errBoom, outbox.RetryAfter(20*time.Second)), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var second time.Duration
			var attempt int
			bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
				start := time.Now()
				r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
					if r.seen.note(e) == 1 {
						return c.err
					}
					d, _ := outbox.DeliveryFrom(ctx)
					second, attempt = time.Since(start), d.Attempt
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				r.run()
				r.write(ctx, event("A", 1))
				pass(30 * time.Second)
				if second < 20*time.Second || second > 22*time.Second || attempt != c.attempts+1 {
					t.Errorf("came back after %s as attempt %d", second, attempt)
				}
			})
		})
	}
}

// Scenario 28.
func TestAPanicIsACountedFailureWithItsStackOnLinesOfItsOwn(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{MaxAttempts: 2, Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { panic("oh no") })
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(10 * time.Second)
		l := r.letters(ctx)
		if len(l) != 1 || l[0].Attempts != 2 {
			t.Fatalf("dead letters %+v", l)
		}
		lines := strings.Split(l[0].Error, "\n")
		if len(lines) < 3 || lines[0] != "panic: oh no" || lines[1] != "" || !strings.Contains(lines[2], "TestAPanicIsACounted") ||
			!strings.Contains(lines[2], "dispatch_test.go:") {
			t.Errorf("the message and then where it happened are expected:\n%s", l[0].Error)
		}
	})
}

// Scenario 29.
func TestInterceptorsRunInOrderAndBackwards(t *testing.T) {
	var mu sync.Mutex
	var calls []string
	note := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		calls = append(calls, fmt.Sprintf(format, args...))
	}
	tracer := func(name string) outbox.Interceptor { return interceptor{name, note}.hooks() }
	cfg := relay.Config{Interceptors: []outbox.Interceptor{tracer("1"), tracer("2")}, Lane: relay.LaneConfig{MaxAttempts: 1}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { note("run"); return nil })
		r.reg.Handle("refuse", func(context.Context, outbox.Event) error { note("run"); return nil })
		r.reg.Handle("panic", func(context.Context, outbox.Event) error { note("run"); return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		for _, c := range []struct {
			eventType string
			want      []string
		}{
			{"A", []string{"before 1", "before 2", "run", "after 2 <nil>", "after 1 <nil>"}},
			{"refuse", []string{"before 1", "before 2", "after 1 refused by 2"}},
			{"panic", []string{"before 1", "before 2", "run", "after 2 <nil>", "after 1 <nil>"}},
		} {
			calls = nil
			r.write(ctx, event(c.eventType, 1))
			settled()
			if !slices.Equal(calls, c.want) {
				t.Errorf("%s: %q, want %q", c.eventType, calls, c.want)
			}
		}
		r.wantStats(ctx, 0, 0, 2, 1) // a panic after the fact changes nothing
	})
}

type interceptor struct {
	name string
	note func(string, ...any)
}

func (i interceptor) hooks() outbox.Interceptor {
	return outbox.Interceptor{Before: i.Before, After: i.After}
}

func (i interceptor) Before(ctx context.Context, e outbox.Event) (context.Context, error) {
	i.note("before %s", i.name)
	if e.Type == "refuse" && i.name == "2" {
		return ctx, errors.New("refused by 2")
	}
	return ctx, nil
}

func (i interceptor) After(_ context.Context, e outbox.Event, err error) {
	i.note("after %s %v", i.name, err)
	if e.Type == "panic" {
		panic("after")
	}
}

// Scenario 30.
func TestAnEventWithoutAListenerWaitsOrDiesAsConfigured(t *testing.T) {
	for _, c := range []struct {
		name          string
		unroutable    relay.Unroutable
		waiting, dead int64
	}{
		{"waits for another relay", relay.UnroutableWait, 1, 0},
		{"is dead at once", relay.UnroutableDead, 0, 1},
		{"is retried", relay.UnroutableRetry, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			unclaimed := map[string]int{}
			cfg := relay.Config{Unroutable: c.unroutable}
			cfg.Hooks.Unclaimed = func(i observe.LagInfo) { unclaimed[i.Lane]++ }
			bubble(t, cfg, func(r *rig) {
				r.reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
			}, func(ctx context.Context, r *rig) {
				r.run()
				r.write(ctx, event("B", 1))
				pass(12 * time.Second)
				s := r.stats(ctx)
				if s.Waiting.N+s.Held.N != c.waiting || s.Dead.N != c.dead {
					t.Errorf("stats %+v", s)
				}
				if reported := unclaimed["B"] > 0; reported != (c.unroutable == relay.UnroutableWait) {
					t.Errorf("reported as unclaimed: %v", reported)
				}
			})
		})
	}
}

func TestEventsOfOneAggregateRunOneAtATimeInOrder(t *testing.T) {
	var mu sync.Mutex
	at := map[string]int{}
	got := map[string][]string{}
	bubble(t, relay.Config{Lane: relay.LaneConfig{Workers: 8, Interval: time.Second}}, func(r *rig) {
		l := func(_ context.Context, e outbox.Event) error {
			mu.Lock()
			at[e.AggregateID]++
			if at[e.AggregateID] > 1 {
				t.Errorf("two events of %s at once", e.AggregateID)
			}
			got[e.AggregateID] = append(got[e.AggregateID], e.ID)
			mu.Unlock()
			<-time.After(10 * time.Millisecond)
			mu.Lock()
			at[e.AggregateID]--
			mu.Unlock()
			return nil
		}
		r.reg.Handle("A", l)
		r.reg.Handle("B", l) // another lane, the same aggregates
	}, func(ctx context.Context, r *rig) {
		var es []outbox.Event
		want := map[string][]string{}
		for i := range 200 {
			e := event([]string{"A", "B"}[i%2], i)
			e.AggregateType, e.AggregateID = "Order", fmt.Sprint(i%7)
			es = append(es, e)
			want[e.AggregateID] = append(want[e.AggregateID], e.ID)
		}
		r.run()
		r.write(ctx, es...)
		pass(time.Minute)
		for id, ids := range want {
			if !slices.Equal(got[id], ids) {
				t.Errorf("aggregate %s: %v, want %v", id, got[id], ids)
			}
		}
		r.wantStats(ctx, 0, 0, 200, 0)
	})
}

func TestABatchListenerGetsBatchesAndAnswersForEach(t *testing.T) {
	var sizes []int
	bubble(t, relay.Config{Lane: relay.LaneConfig{Workers: 1, Interval: time.Second, DeliverBatch: 30, Batch: 100, MaxAttempts: 1}}, func(r *rig) {
		r.reg.HandleBatch("A", func(_ context.Context, es []outbox.Event) []error {
			sizes = append(sizes, len(es))
			errs := make([]error, len(es))
			for i, e := range es {
				r.seen.note(e)
				if e.ID == "A-00007" {
					errs[i] = errBoom
				}
			}
			return errs
		})
	}, func(ctx context.Context, r *rig) {
		es := events("A", 90)
		for i := range es {
			es[i].AggregateID = fmt.Sprint(i % 2) // two aggregates must not make batches of two
		}
		r.writeCold(ctx, es...)
		r.run()
		pass(3 * time.Second)
		if len(sizes) > 4 || r.seen.order()[7] != "A-00015" && r.seen.order()[0] != "A-00000" {
			t.Errorf("batches of %v", sizes)
		}
		even := slices.DeleteFunc(r.seen.order(), func(id string) bool { return id[len(id)-1]%2 == 1 })
		if !slices.IsSorted(even) {
			t.Errorf("order within an aggregate: %v", even)
		}
		r.wantStats(ctx, 0, 0, 89, 1)
	})
}

// Scenario 31.
func TestTenThousandEventsHotAndColdAreDeliveredOnce(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Workers: 8, Interval: 50 * time.Millisecond}}, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			<-time.After(2 * time.Millisecond)
			r.seen.note(e)
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		es := events("A", 10_000)
		for len(es) > 0 {
			r.write(ctx, es[:50]...)
			r.writeCold(ctx, es[50:100]...)
			es = es[100:]
			pass(10 * time.Millisecond)
		}
		pass(10 * time.Second)
		if n := len(r.seen.order()); n != 10_000 {
			t.Errorf("%d calls for 10000 events", n)
		}
		s := r.stats(ctx)
		if s.Waiting.N+s.Held.N != 0 {
			t.Errorf("left: %+v", s)
		}
	})
}

// Scenario 32.
func TestAListenerThatOutlivesItsLeaseIsNotDoubledWhileItsRelayLives(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			r.seen.note(e)
			select {
			case <-time.After(2 * time.Minute):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))     // hot: scenario 80
		r.writeCold(ctx, event("A", 2)) // cold
		pass(3 * time.Minute)
		if r.seen.times("A-00001") != 1 || r.seen.times("A-00002") != 1 {
			t.Errorf("runs: %v", r.seen.order())
		}
		r.wantStats(ctx, 0, 0, 2, 0)
	})
}

func TestAListenerThatHangsIsEndedByItsDeadline(t *testing.T) {
	bubble(t, relay.Config{Lane: relay.LaneConfig{Interval: time.Second, Timeout: 10 * time.Second, MaxAttempts: 2}}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			r.seen.note(e)
			<-ctx.Done()
			return ctx.Err()
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(time.Minute)
		l := r.letters(ctx)
		if len(l) != 1 || l[0].Attempts != 2 || !strings.HasPrefix(l[0].Error, "timeout: ") {
			t.Errorf("dead letters %+v", l)
		}
	})
}

func TestAListenerPastItsDeadlineKeepsItsWorkerAndRunsOnceAtATime(t *testing.T) {
	var stuck, atOnce, most atomic.Int64
	cfg := relay.Config{Lane: relay.LaneConfig{Workers: 2, Interval: time.Second, Timeout: 10 * time.Second, MaxAttempts: 5}}
	cfg.Hooks.Stuck = func(observe.QueueInfo) { stuck.Add(1) }
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			most.Store(max(most.Load(), atOnce.Add(1)))
			defer atOnce.Add(-1)
			if r.seen.note(e) == 1 {
				<-r.gate
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(65 * time.Second)
		if stuck.Load() != 1 || r.seen.times("A-00001") != 1 {
			t.Errorf("stuck %d, runs %d", stuck.Load(), r.seen.times("A-00001"))
		}
		r.wantStats(ctx, 1, 0, 0, 0) // for another relay to run
		close(r.gate)
		pass(20 * time.Second)
		if most.Load() != 1 || r.seen.times("A-00001") != 2 {
			t.Errorf("at once %d, runs %d", most.Load(), r.seen.times("A-00001"))
		}
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}
