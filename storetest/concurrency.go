package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func concurrencyLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "concurrent claimers, writers and a sweeper deliver each event once",
			Why:   "this is every production system; deadlocks, gap locks and lost updates show only here",
			Check: check(func(k *kit[Tx]) { k.allAtOnce(lookAtLanes[Tx]) }),
		},
		{
			Name:  "concurrent claimers get each row once",
			Why:   "instances start together and all reach for the same rows",
			Check: check(claimersAtOnce[Tx]),
		},
		{
			Name:  "of many write-if-absent calls, one writes and none fails",
			Why:   "repeated requests arrive at the same moment on several instances",
			Check: check(absentAtOnce[Tx]),
		},
	}
}

// run starts f n times, each with its own client.
func (k *kit[Tx]) run(n int, f func(i int, s Store[Tx])) *sync.WaitGroup {
	wg := &sync.WaitGroup{}
	for i := range n {
		s := k.client(i)
		wg.Go(func() { f(i, s) })
	}
	return wg
}

func claimersAtOnce[Tx any](k *kit[Tx]) {
	ids := k.write(events(lane, 400)...)
	var mu sync.Mutex
	var got []string
	k.run(4, func(i int, s Store[Tx]) {
		owner := driver.NewOwner(fmt.Sprint(i))
		for {
			cs, err := s.Claim(k.ctx, driver.ClaimRequest{Owner: owner, Lease: long, Wants: []driver.Want{{Lane: lane, Rows: 20}}})
			if err != nil {
				k.Errorf("claim: %v", err)
				return
			}
			mu.Lock()
			got = append(got, idsOf(cs)...)
			enough := len(got) >= len(ids)
			mu.Unlock()
			if enough {
				return
			}
		}
	}).Wait()
	k.sameIDs("claimed", got, ids)
}

func absentAtOnce[Tx any](k *kit[Tx]) {
	for round := range 5 {
		e := named(fmt.Sprintf("once-%d", round))
		var wrote atomic.Int64
		k.run(6, func(_ int, s Store[Tx]) {
			w := outbox.NewWriter[Tx](s)
			var existing []string
			err := w.InTx(k.ctx, func(ctx context.Context, tx Tx) (err error) {
				existing, err = w.WriteIfAbsent(ctx, tx, e)
				return err
			})
			if err != nil {
				k.Errorf("write if absent: %v", err)
			} else if len(existing) == 0 {
				wrote.Add(1)
			}
		}).Wait()
		if n := wrote.Load(); n != 1 {
			k.Errorf("%d of 6 say that they wrote it, expected one", n)
		}
	}
	if cs := k.claim(driver.NewOwner("a"), lane); len(cs) != 5 {
		k.Errorf("claimed %v, expected 5 events", idsOf(cs))
	}
}

// traffic is what the workers of allAtOnce share.
type traffic struct {
	mu       sync.Mutex
	claims   map[string]int
	finished map[string]int
	done     atomic.Int64
	swept    atomic.Int64
}

// lookAtLanes asks what a relay asks for in addition to its work.
func lookAtLanes[Tx any](ctx context.Context, s Store[Tx]) error {
	_, err := s.Lanes(ctx, "", 10)
	return err
}

// allAtOnce runs writers, claimers and a sweeper at the same time, while
// another client looks.
func (k *kit[Tx]) allAtOnce(look func(ctx context.Context, s Store[Tx]) error) {
	const writers, perWriter, size = 2, 150, 5
	const total = writers * perWriter
	lanes := []string{"a", "b", "c"}
	t := &traffic{claims: map[string]int{}, finished: map[string]int{}}
	ctx, cancel := context.WithTimeout(k.ctx, 2*patience)
	defer cancel()
	busy := func() bool { return t.done.Load() < total && ctx.Err() == nil && !k.Failed() }

	writing := k.run(writers, func(i int, s Store[Tx]) {
		w := outbox.NewWriter[Tx](s)
		for n := 0; n < perWriter && busy(); n += size {
			err := w.InTx(ctx, func(ctx context.Context, tx Tx) error {
				_, err := w.WriteAll(ctx, tx, events(lanes[n%len(lanes)], size)...)
				return err
			})
			if err != nil {
				k.Errorf("write: %v", err)
			}
		}
	})
	claiming := k.run(4, func(i int, s Store[Tx]) {
		owner := driver.NewOwner(fmt.Sprint(i))
		for busy() {
			if err := t.work(ctx, s, owner, lanes); err != nil {
				k.Errorf("%v", err)
			}
		}
	})
	sweeping := k.run(1, func(_ int, s Store[Tx]) {
		for busy() {
			n, err := s.Sweep(ctx, 0, 20)
			if err != nil {
				k.Errorf("sweep: %v", err)
			}
			t.swept.Add(int64(n))
			if err := look(ctx, s); err != nil {
				k.Errorf("look: %v", err)
			}
			select {
			case <-time.After(5 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	})
	writing.Wait()
	claiming.Wait()
	sweeping.Wait()
	k.report(t, total)
}

// work claims a few rows, settles them, and notes what happened. One in five
// events fails at first.
func (t *traffic) work(ctx context.Context, s driver.Store, owner driver.Owner, lanes []string) error {
	var ws []driver.Want
	for _, l := range lanes {
		ws = append(ws, driver.Want{Lane: l, Rows: 7})
	}
	cs, err := s.Claim(ctx, driver.ClaimRequest{Owner: owner, Lease: long, Wants: ws})
	if err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	var outcomes []driver.Outcome
	done := 0
	t.mu.Lock()
	for _, c := range cs {
		t.claims[c.EventID]++
		o := driver.Outcome{Held: c.Held, Kind: driver.Done, Token: c.Token}
		if c.Seq%5 == 0 && c.Attempts == 0 {
			o.Kind, o.Attempts = driver.Retry, 1
		} else {
			t.finished[c.EventID]++
			done++
		}
		outcomes = append(outcomes, o)
	}
	t.mu.Unlock()
	_, err = s.Renew(ctx, owner, long, renewals(cs))
	if _, err := apart(err); err != nil {
		return fmt.Errorf("renew: %w", err)
	}
	for len(outcomes) > 0 {
		stale, err := s.Settle(ctx, owner, outcomes, true)
		locked, err := apart(err)
		if err != nil {
			return fmt.Errorf("settle: %w", err)
		}
		if len(stale) > 0 {
			return fmt.Errorf("settle: %v are stale, but no one else could have claimed them", stale)
		}
		outcomes = slices.DeleteFunc(outcomes, func(o driver.Outcome) bool { return !slices.Contains(locked, o.Held) })
	}
	t.done.Add(int64(done))
	return nil
}

func renewals(cs []driver.Claimed) []driver.Renewal {
	rs := make([]driver.Renewal, len(cs))
	for i, c := range cs {
		rs[i].Held = c.Held
	}
	return rs
}

func (k *kit[Tx]) report(t *traffic, total int) {
	k.Helper()
	if len(t.finished) != total {
		k.Errorf("delivered %d of %d events", len(t.finished), total)
	}
	for id, n := range t.finished {
		if n != 1 || t.claims[id] > 2 {
			k.Errorf("event %s was delivered %d times in %d claims", id, n, t.claims[id])
		}
	}
	k.nonePending()
	k.sweepAll(total - int(t.swept.Load())) // all are done
}
