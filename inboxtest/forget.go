package inboxtest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func forgetLaws[Tx any]() []Law[Tx] {
	ages := func(s Subject[Tx]) bool { return s.Age != nil }
	return []Law[Tx]{
		{
			Name:    "ids are forgotten by age, and those of the group alone",
			Why:     "an id that is forgotten too early lets a redelivery have its effect again",
			Applies: ages,
			Check:   check(forgetByAge[Tx]),
		},
		{
			Name:    "no more ids are forgotten than asked for, the oldest first",
			Why:     "a large DELETE stalls the application for as long as it runs",
			Applies: ages,
			Check:   check(forgetInBatches[Tx]),
		},
		{
			Name:    "ledgers that forget at the same time remove each id once",
			Why:     "every instance cleans up, and operators see their counts",
			Applies: ages,
			Check:   check(forgetAtOnce[Tx]),
		},
		{
			Name:    "a redelivery in an open transaction keeps no other ids from being forgotten",
			Why:     "one slow consumer would keep the ledger growing",
			Applies: func(s Subject[Tx]) bool { return ages(s) && !s.OneTransaction },
			Check:   check(forgetBesideRedelivery[Tx]),
		},
	}
}

func (k *kit[Tx]) forget(l driver.Ledger[Tx], age time.Duration, limit int) int {
	k.Helper()
	n, err := l.Forget(k.ctx, group, age, limit)
	k.must(err)
	return n
}

func forgetByAge[Tx any](k *kit[Tx]) {
	k.record(k.Ledger, group, "old", "older", "young")
	k.record(k.Ledger, "shipping", "old")
	k.must(k.Age(k.ctx, group, time.Hour, "old"))
	k.must(k.Age(k.ctx, group, 2*time.Hour, "older"))
	k.must(k.Age(k.ctx, "shipping", 2*time.Hour, "old"))
	if n := k.forget(k.Ledger, 3*time.Hour, 10); n != 0 {
		k.Errorf("forgot %d, but none is three hours old", n)
	}
	if n := k.forget(k.Ledger, 59*time.Minute, 10); n != 2 {
		k.Errorf("forgot %d, expected the two that are old", n)
	}
	if n := k.forget(k.Ledger, 59*time.Minute, 10); n != 0 {
		k.Errorf("forgot %d more", n)
	}
	k.expectKnown(false, group, "old", "older")
	k.expectKnown(true, group, "young")
	k.expectKnown(true, "shipping", "old")
	k.expect("after that", k.record(k.Ledger, group, "old", "young"), true, false)
}

func forgetInBatches[Tx any](k *kit[Tx]) {
	var ids []string
	for i := range 7 {
		id := fmt.Sprint("id", i)
		ids = append(ids, id)
		k.record(k.Ledger, group, id)
		k.must(k.Age(k.ctx, group, time.Duration(20-i)*time.Hour, id))
	}
	if n := k.forget(k.Ledger, time.Hour, 0); n != 0 {
		k.Errorf("forgot %d, asked were none", n)
	}
	if n := k.forget(k.Ledger, time.Hour, 3); n != 3 {
		k.Errorf("forgot %d, asked were 3", n)
	}
	k.expectKnown(false, group, ids[:3]...)
	k.expectKnown(true, group, ids[3:]...)
	if n := k.forget(k.Ledger, time.Hour, 100); n != 4 {
		k.Errorf("forgot %d, left were 4", n)
	}
}

func forgetAtOnce[Tx any](k *kit[Tx]) {
	const all = 60
	var ids []string
	for i := range all {
		ids = append(ids, fmt.Sprint("id", i))
	}
	k.record(k.Ledger, group, ids...)
	k.must(k.Age(k.ctx, group, 2*time.Hour, ids...))
	var mu sync.Mutex
	forgotten := 0
	k.eventually("all are forgotten", func() bool {
		var wg sync.WaitGroup
		for _, l := range []driver.Ledger[Tx]{k.Ledger, k.Peer, k.Ledger} {
			wg.Go(func() {
				n, err := l.Forget(k.ctx, group, time.Hour, 10)
				if err != nil {
					k.Errorf("forget: %v", err)
				}
				mu.Lock()
				forgotten += n
				mu.Unlock()
			})
		}
		wg.Wait()
		return forgotten >= all || k.Failed()
	})
	if forgotten != all {
		k.Errorf("they say %d of %d", forgotten, all)
	}
	k.expectKnown(false, group, ids...)
}

func forgetBesideRedelivery[Tx any](k *kit[Tx]) {
	ids := []string{"again", "b", "c", "d"}
	k.record(k.Ledger, group, ids...)
	k.must(k.Age(k.ctx, group, 3*time.Hour, ids[0])) // the first that a page has
	k.must(k.Age(k.ctx, group, 2*time.Hour, ids[1:]...))
	k.inTx(k.Peer, func(tx Tx) error {
		fresh, err := k.Peer.Record(k.ctx, tx, group, ids[:1])
		k.must(err)
		k.expect("the redelivery", fresh, false)
		k.eventually("the others are forgotten", func() bool {
			k.forget(k.Ledger, time.Hour, 2)
			known, err := k.Ledger.Known(k.ctx, group, ids[1:])
			k.must(err)
			return !slices.Contains(known, true)
		})
		return nil
	})
	k.eventually("all are forgotten", func() bool {
		k.forget(k.Ledger, time.Hour, 10)
		known, err := k.Ledger.Known(k.ctx, group, ids)
		k.must(err)
		return !slices.Contains(known, true)
	})
}
