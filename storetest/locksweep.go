package storetest

import "github.com/sendoff-go/outbox/driver"

func lockSweepLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:    "a sweep deletes what stands behind rows that another session has locked",
			Why:     "a relay sweeps while batches are full: a row that somebody is looking at would stop it, and the table grows",
			Applies: func(s Subject[Tx]) bool { return s.LockRow != nil },
			Check:   check(sweepsBehindLocked[Tx]),
		},
	}
}

// sweepsBehindLocked sweeps as a relay does, while batches are full. Each try has
// events of its own: a sweep that went without an answer may still keep others out.
func sweepsBehindLocked[Tx any](k *kit[Tx]) {
	const free, locked, batch = 4, 2, 2 // the oldest batch is locked
	a := driver.NewOwner("a")
	for try := 1; ; try++ {
		k.write(events(lane, locked+free)...)
		cs := k.claim(a, lane)
		for _, c := range cs { // one after the other, so that the first is the oldest
			k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
		}
		k.pass(2 * k.ClockResolution) // or the last is not old yet
		var releases []func()
		for _, c := range cs[:locked] {
			releases = append(releases, k.LockRow(k, c.EventID))
		}
		swept := 0
		for n := batch; n == batch; swept += n {
			var err error
			n, err = k.Store.Sweep(k.ctx, 0, batch)
			k.must(err)
		}
		for _, release := range releases {
			release()
		}
		if swept > free {
			k.Fatalf("swept %d rows, of which others had locked some: %d were free", swept, free)
		}
		k.sweepAll(locked + free - swept)
		k.gone(idsOf(cs)...)
		if swept == free {
			return
		}
		if try == answerTries {
			k.Fatalf("swept %d rows behind those that are locked, expected all %d, %d times", swept, free, try)
		}
	}
}
