package storetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func orderLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "claims come back in order of lane, time and seq",
			Why:   "a database returns updated rows in any order; receivers rely on the order of writing",
			Check: check(claimsAreOrdered[Tx]),
		},
		{
			Name:  "seqs follow the order of writing",
			Why:   "events of one transaction tell a story, and its order is all that the receiver has",
			Check: check(seqsFollowWrites[Tx]),
		},
		{
			Name:  "a claim reads on from a position, or from the head again",
			Why:   "late commits, retries and expired claims lie behind the position; losing them loses events",
			Check: check(positionIsAHint[Tx]),
		},
		{
			Name:    "a transaction that commits late is found behind the position",
			Why:     "its seq is lower than those already read, and a reader that only goes forward never sees it",
			Applies: func(s Subject[Tx]) bool { return !s.OneTransaction },
			Check:   check(lateCommitIsFound[Tx]),
		},
	}
}

func claimsAreOrdered[Tx any](k *kit[Tx]) {
	start := time.Now().Add(-time.Hour)
	var es []outbox.Event
	for i := range 60 {
		e := event([]string{"b", "a", "C", "B"}[i%4])
		if i%3 == 0 {
			e.AvailableAt = start.Add(time.Duration(i*7%10) * time.Minute)
		}
		es = append(es, e)
	}
	k.write(es...)
	cs := k.claim(driver.NewOwner("a"), "b", "C", "a", "B")
	if len(cs) != len(es) {
		k.Fatalf("claimed %d of %d", len(cs), len(es))
	}
	if !slices.IsSortedFunc(cs, func(a, b driver.Claimed) int {
		return cmp.Or(cmp.Compare(a.Event.Type, b.Event.Type),
			a.Position.AvailableAt.Compare(b.Position.AvailableAt), cmp.Compare(a.Seq, b.Seq))
	}) {
		k.Errorf("the claims are not in order of lane (by bytes), time and seq")
		for _, c := range cs {
			k.Logf("%q %s %d", c.Event.Type, c.Position.AvailableAt, c.Seq)
		}
	}
}

func seqsFollowWrites[Tx any](k *kit[Tx]) {
	var ids []string
	k.inTx(func(tx Tx) error {
		for range 3 {
			more, err := k.w.WriteAll(k.ctx, tx, events(lane, 4)...)
			if err != nil {
				return err
			}
			ids = append(ids, more...)
		}
		return nil
	})
	ids = append(ids, k.write(events(lane, 4)...)...)
	cs := k.claim(driver.NewOwner("a"), lane)
	slices.SortFunc(cs, func(a, b driver.Claimed) int { return cmp.Compare(a.Seq, b.Seq) })
	if got := idsOf(cs); !slices.Equal(got, ids) {
		k.Errorf("in order of seq: %v, written as %v", got, ids)
	}
	for i := 1; i < len(cs); i++ {
		if cs[i].Seq == cs[i-1].Seq {
			k.Errorf("two rows have seq %d", cs[i].Seq)
		}
	}
}

func positionIsAHint[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	early := k.write(events(lane, 4)...)
	first := k.claimWants(a, long, driver.Want{Lane: lane, Rows: 2})
	if len(first) != 2 {
		k.Fatalf("claimed %d, expected 2", len(first))
	}
	after := first[1].Position
	rest := k.claimWants(a, long, driver.Want{Lane: lane, Rows: all, After: after})
	k.sameIDs("claimed from the position on", idsOf(append(first, rest...)), early)

	// The first is freed and lies behind the position of the last.
	k.mustSettle(a, driver.Outcome{Held: first[0].Held, Kind: driver.Release})
	late := k.write(event(lane))
	on := idsOf(k.claimWants(a, long, driver.Want{Lane: lane, Rows: all, After: rest[1].Position}))
	if !slices.Contains(on, late[0]) {
		k.Fatalf("claimed %v after the position, but %s was written after it", on, late[0])
	}
	if slices.Contains(on, first[0].EventID) {
		return // reading more than from the position on is allowed
	}
	if c := k.claimOne(a, long); c.EventID != first[0].EventID {
		k.Errorf("claimed %s from the head, expected %s, which was freed", c.EventID, first[0].EventID)
	}
}

func lateCommitIsFound[Tx any](k *kit[Tx]) {
	tx, commit, rollback, err := k.Store.Begin(k.ctx)
	k.must(err)
	defer func() { _ = rollback() }()
	slow, err := k.w.Write(k.ctx, tx, event(lane))
	k.must(err)
	fast := k.write(event(lane))[0]
	a := driver.NewOwner("a")
	c := k.claimOne(a, long)
	if c.EventID != fast {
		k.Fatalf("claimed %s, which is not committed", c.EventID)
	}
	k.must(commit())
	after := driver.Want{Lane: lane, Rows: all, After: c.Position}
	cs := k.claimWants(a, long, after)
	cs = append(cs, k.claimWants(a, long, wants(lane)...)...)
	if len(cs) != 1 || cs[0].EventID != slow {
		k.Errorf("claimed %v, expected %s, which was committed late", heldOf(cs), slow)
	}
}
