package storetest

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func expiringLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "age retention keeps to its age and limit, and spares dead events",
			Why:   "a pipeline that reads the table needs time, and dead events await a decision",
			Check: check(expireByAge[Tx]),
		},
		{
			Name:    "age retention deletes undelivered rows only if no relay is alive",
			Why:     "on a table that a relay reads it would delete events that were never delivered",
			Applies: func(s Subject[Tx]) bool { return has(s, Instances) },
			Check:   check(expireBesideARelay[Tx]),
		},
	}
}

// expiring is the power that the laws of this file are about.
func (k *kit[Tx]) expiring() driver.ExpiringStore { return k.Store.(driver.ExpiringStore) }

func expireByAge[Tx any](k *kit[Tx]) {
	dead := k.kill("no", event("dead"))
	ids := k.write(events(lane, 5)...)
	n, err := k.expiring().ExpireWritten(k.ctx, time.Hour, all)
	k.must(err)
	if n != 0 {
		k.Fatalf("deleted %d rows, but none is an hour old", n)
	}
	k.kept(ids...)
	deleted := 0
	k.eventually("all are deleted", func() bool {
		n, err := k.expiring().ExpireWritten(k.ctx, 0, 2)
		k.must(err)
		if n > 2 {
			k.Fatalf("deleted %d, asked for at most 2", n)
		}
		deleted += n
		return deleted >= 5
	})
	if deleted != 5 {
		k.Errorf("deleted %d, written were 5", deleted)
	}
	k.gone(ids...)
	k.dead(dead...)
}

func expireBesideARelay[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	ids := k.write(events(lane, 5)...)
	k.must(k.instances().Announce(k.ctx, driver.Instance{Owner: a, Version: "1", Lanes: []string{lane}}))
	if n, err := k.expiring().ExpireWritten(k.ctx, 0, all); err == nil || n != 0 {
		k.Fatalf("deleted %d rows while a relay is alive (error %v)", n, err)
	}
	k.kept(ids...)
	k.must(k.instances().Withdraw(k.ctx, a))
	k.eventually("all are deleted once the relay has gone", func() bool {
		_, err := k.expiring().ExpireWritten(k.ctx, 0, all)
		k.must(err)
		return len(k.stored(ids...)) == 0
	})
}
