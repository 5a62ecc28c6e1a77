package storetest

import (
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func sweepLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a sweep deletes only what was done for longer than the age",
			Why:   "nothing is deleted that was not delivered",
			Check: check(sweepDeletesDone[Tx]),
		},
		{
			Name:  "a sweep deletes no more than its limit",
			Why:   "a large DELETE stalls the application for as long as it runs",
			Check: check(sweepKeepsToLimit[Tx]),
		},
		{
			Name:  "concurrent sweeps delete each row once",
			Why:   "every instance sweeps, and operators see their counts",
			Check: check(sweepsAtOnce[Tx]),
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
	ids := k.write(events(lane, 6)...)
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
	if n != 0 {
		k.Errorf("swept %d more, but no more are done", n)
	}
	k.gone(ids[:2]...)
	k.kept(ids[2], ids[3], ids[5])
	k.dead(ids[4])
	k.sameHeld("lost", k.renew(a, long, cs[5].Held), nil)
	if c := k.claimOne(a, long); c.EventID != ids[3] {
		k.Errorf("claimed %s, expected %s, which was given back", c.EventID, ids[3])
	}
}

func sweepKeepsToLimit[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	ids := k.write(events(lane, 7)...)
	for _, c := range k.claim(a, lane) {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	swept := 0
	k.eventually("all are swept", func() bool {
		n, err := k.Store.Sweep(k.ctx, 0, 3)
		k.must(err)
		if n > 3 {
			k.Fatalf("swept %d, asked for at most 3", n)
		}
		swept += n
		return swept >= 7
	})
	if swept != 7 {
		k.Errorf("swept %d, done were 7", swept)
	}
	k.gone(ids...)
}

func sweepsAtOnce[Tx any](k *kit[Tx]) {
	const n = 60
	a := driver.NewOwner("a")
	ids := k.write(events(lane, n)...)
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
	if swept != n {
		k.Errorf("the sweeps say %d, done were %d", swept, n)
	}
	k.gone(ids...)
}
