package storetest

import (
	"bytes"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func repeatLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "an outcome sent twice is applied once",
			Why:   "the answer to a settle can be lost; sending it again must not count an attempt twice or move anything twice",
			Check: check(outcomeTwice[Tx]),
		},
		{
			Name:  "an outcome repeated after a new claim by its owner changes nothing",
			Why:   "owner and event are the same then, and only the number tells the claims apart",
			Check: check(outcomeAfterReclaim[Tx]),
		},
		{
			Name:  "an outcome repeated after the id was reused changes nothing",
			Why:   "if delivered rows are deleted at once, an id may be reused, and its new event would be lost",
			Check: check(outcomeAfterReuse[Tx]),
		},
		{
			Name:  "dead stays dead, and done stays done",
			Why:   "only an operator's decision brings a dead event back",
			Check: check(endedStaysEnded[Tx]),
		},
	}
}

func outcomeTwice[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	failures := driver.AppendFailure(nil, driver.Failure{Attempt: 1, Error: "no"})
	for _, keep := range []bool{true, false} {
		for _, o := range []driver.Outcome{
			{Kind: driver.Done},
			{Kind: driver.Retry, Attempts: 1, Error: "no", Failures: failures},
			{Kind: driver.Release, Attempts: 1},
			{Kind: driver.Dead, Attempts: 1, Error: "no", Failures: failures},
		} {
			id := k.write(event(lane))[0]
			o.Held = k.claimOne(a, long).Held
			stale, err := k.Store.Settle(k.ctx, a, []driver.Outcome{o}, keep)
			k.must(err)
			k.sameHeld("stale at first", stale, nil)
			stale, err = k.Store.Settle(k.ctx, a, []driver.Outcome{o}, keep)
			k.must(err)
			k.sameHeld("stale the second time", stale, []driver.Held{o.Held})
			switch o.Kind {
			case driver.Done:
				k.claimNothing("it is done", lane)
			case driver.Dead:
				k.dead(id)
			default:
				c := k.claimOne(a, long)
				if c.Attempts != 1 || c.ClaimNo != o.ClaimNo+2 {
					k.Errorf("%s twice: attempts %d, number %d after %d; expected 1, and one step for freeing and one for the claim", o.Kind, c.Attempts, c.ClaimNo, o.ClaimNo)
				}
				k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
			}
		}
	}
}

func outcomeAfterReclaim[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	for _, first := range []driver.Outcome{{Kind: driver.Retry, Attempts: 1}, {Kind: driver.Release, Attempts: 1}} {
		first.Held = k.claimOne(a, long).Held
		k.mustSettle(a, first)
		again := k.claimOne(a, long)
		k.mustBeStale(a, first)
		k.claimNothing("the repeated outcome freed it under the new claim", lane)
		if lost := k.renew(a, long, again.Held); len(lost) > 0 {
			k.Fatalf("the new claim was lost to a repeated %s", first.Kind)
		}
		k.mustSettle(a, driver.Outcome{Held: again.Held, Kind: driver.Release, Attempts: again.Attempts})
	}
	if c := k.claimOne(a, long); c.Attempts != 1 {
		k.Errorf("attempts %d, expected 1", c.Attempts)
	}
}

func outcomeAfterReuse[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	first, second := event(lane), event(lane)
	first.ID, second.ID = outbox.NewID(), ""
	second.ID, second.JSON = first.ID, []byte(`{"n":2}`)

	k.write(first)
	cold := driver.Outcome{Held: k.claimOne(a, long).Held, Kind: driver.Done}
	k.settleAndDelete(a, cold)
	hot := driver.Outcome{Held: hotHeld(k.writeHot(long, first)[0]), Kind: driver.Done}
	k.settleAndDelete(a, hot)

	row := k.writeHot(long, second)[0]
	for _, old := range []driver.Held{cold.Held, hot.Held} {
		for _, o := range outcomesOf(old) {
			k.mustBeStale(a, o)
		}
		k.sameHeld("lost", k.renew(a, brief, old), []driver.Held{old})
	}
	there, err := k.Store.Confirm(k.ctx, []driver.Held{hot.Held, hotHeld(row)})
	k.must(err)
	k.sameHeld("confirmed", there, []driver.Held{hotHeld(row)})
	taken, err := k.Store.Take(k.ctx, a, long, []driver.Held{hot.Held})
	k.must(err)
	k.sameHeld("taken", taken, nil)

	k.sameHeld("lost", k.renew(a, brief, hotHeld(row)), nil)
	c := k.claimSoon(a, long, 1)[0]
	k.mustBeStale(a, cold) // the same owner, event and number: the seq is all that differs
	if c.ClaimNo != cold.ClaimNo || !bytes.Equal(c.Event.JSON, second.JSON) {
		k.Errorf("claimed %s as %+v, expected the second event", c.Event.JSON, c.Held)
	}
	k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
}

func endedStaysEnded[Tx any](k *kit[Tx]) {
	ids := k.write(events(lane, 2)...)
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	k.mustSettle(a,
		driver.Outcome{Held: cs[0].Held, Kind: driver.Dead, Attempts: 2, Error: "the reason"},
		driver.Outcome{Held: cs[1].Held, Kind: driver.Done})
	for _, c := range cs {
		for _, o := range outcomesOf(c.Held) {
			k.mustBeStale(a, o)
		}
		k.sameHeld("lost", k.renew(a, long, c.Held), []driver.Held{c.Held})
	}
	k.dead(ids[0])
	k.claimNothing("both have ended", lane)
	k.nonePending()
	k.sweepAll(1) // the one that is done
}

// settleAndDelete settles with a retention of zero.
func (k *kit[Tx]) settleAndDelete(owner driver.Owner, outcomes ...driver.Outcome) {
	k.Helper()
	stale, err := k.Store.Settle(k.ctx, owner, outcomes, false)
	k.must(err)
	if len(stale) > 0 {
		k.Fatalf("the outcomes of %v were refused as stale, but those claims were held", stale)
	}
}
