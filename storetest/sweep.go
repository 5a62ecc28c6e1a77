package storetest

import (
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func sweepLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a sweep deletes what was done for longer than the age, and nothing else",
			Why:   "nothing is deleted that was not delivered",
			Check: check(sweepDeletesDone[Tx]),
		},
		{
			Name:  "a sweep deletes no more than its limit",
			Why:   "a large DELETE stalls the business for as long as it runs",
			Check: check(sweepKeepsToLimit[Tx]),
		},
		{
			Name:  "sweeps at once delete each row once",
			Why:   "every instance sweeps, and their counts are shown to people",
			Check: check(sweepsAtOnce[Tx]),
		},
		{
			Name:  "age retention deletes undelivered rows only where no relay is alive",
			Why:   "on a table that a relay reads it would delete events that were never delivered",
			Check: check(expireWritten[Tx]),
		},
	}
}

// sweepAll sweeps everything that is done, which takes a moment to become old.
func (k *kit[Tx]) sweepAll(want int) {
	k.Helper()
	swept := 0
	k.eventually("everything done is swept", func() bool {
		n, err := k.Store.Sweep(k.ctx, 0, all)
		k.must(err)
		swept += n
		return swept >= want
	})
	if swept != want {
		k.Fatalf("swept %d rows, done were %d", swept, want)
	}
}

func sweepDeletesDone[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	k.write(events(lane, 6)...)
	cs := k.claim(a, lane)
	k.mustSettle(a,
		driver.Outcome{Held: cs[0].Held, Kind: driver.Done},
		driver.Outcome{Held: cs[1].Held, Kind: driver.Done},
		driver.Outcome{Held: cs[2].Held, Kind: driver.Retry, Attempts: 1, Delay: long},
		driver.Outcome{Held: cs[3].Held, Kind: driver.Release},
		driver.Outcome{Held: cs[4].Held, Kind: driver.Dead})
	n, err := k.Store.Sweep(k.ctx, time.Hour, all)
	k.must(err)
	if n != 0 {
		k.Errorf("swept %d rows, but none was done an hour ago", n)
	}
	k.sweepAll(2)
	n, err = k.Store.Sweep(k.ctx, 0, all)
	k.must(err)
	if st := k.stats(); n != 0 || st.Done.N != 0 || st.Waiting.N != 2 || st.Held.N != 1 || st.Dead.N != 1 {
		k.Errorf("swept %d more, %+v: expected two waiting, one held and one dead", n, st)
	}
}

func sweepKeepsToLimit[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	k.write(events(lane, 7)...)
	for _, c := range k.claim(a, lane) {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	swept := 0
	k.eventually("all are swept", func() bool {
		n, err := k.Store.Sweep(k.ctx, 0, 3)
		k.must(err)
		if n > 3 {
			k.Fatalf("swept %d, asked were 3 at most", n)
		}
		swept += n
		return swept >= 7
	})
	if st := k.stats(); swept != 7 || st.Done.N != 0 {
		k.Errorf("swept %d of 7, %d left", swept, st.Done.N)
	}
}

func sweepsAtOnce[Tx any](k *kit[Tx]) {
	const n = 60
	a := driver.NewOwner("a")
	k.write(events(lane, n)...)
	var outcomes []driver.Outcome
	for _, c := range k.claim(a, lane) {
		outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	k.mustSettle(a, outcomes...)
	var mu sync.Mutex
	swept := 0
	k.eventually("all are swept", func() bool {
		var wg sync.WaitGroup
		for _, s := range []Store[Tx]{k.Store, k.client(1), k.client(2)} {
			wg.Go(func() {
				got, err := s.Sweep(k.ctx, 0, 10)
				if err != nil {
					k.Errorf("sweep: %v", err)
				}
				mu.Lock()
				swept += got
				mu.Unlock()
			})
		}
		wg.Wait()
		return swept >= n || k.Failed()
	})
	if st := k.stats(); swept != n || st.Done.N != 0 {
		k.Errorf("the sweeps say %d of %d, %d left", swept, n, st.Done.N)
	}
}

func expireWritten[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	dead := k.kill("no", event("dead"))
	k.write(events(lane, 5)...)
	k.must(k.Store.Announce(k.ctx, driver.Instance{Owner: a, Version: "1", Lanes: []string{lane}}))
	if n, err := k.Store.ExpireWritten(k.ctx, 0, all); err == nil || n != 0 {
		k.Fatalf("deleted %d rows beside a live relay (error %v)", n, err)
	}
	k.must(k.Store.Withdraw(k.ctx, a))
	n, err := k.Store.ExpireWritten(k.ctx, time.Hour, all)
	k.must(err)
	if n != 0 {
		k.Fatalf("deleted %d rows, but none is an hour old", n)
	}
	deleted := 0
	k.eventually("all are deleted", func() bool {
		n, err := k.Store.ExpireWritten(k.ctx, 0, 2)
		k.must(err)
		if n > 2 {
			k.Fatalf("deleted %d, asked were 2 at most", n)
		}
		deleted += n
		return deleted >= 5
	})
	if st := k.stats(); deleted != 5 || st.Waiting.N != 0 {
		k.Errorf("deleted %d of 5, %d left", deleted, st.Waiting.N)
	}
	k.letter(dead[0])
}
