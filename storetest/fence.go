package storetest

import (
	"github.com/sendoff-go/outbox/driver"
)

// outcomesOf are all outcomes, each with what it may carry.
func outcomesOf(h driver.Held) []driver.Outcome {
	return []driver.Outcome{
		{Held: h, Kind: driver.Done},
		{Held: h, Kind: driver.Retry, Attempts: 7, Error: "late", Failures: []byte(`[]`)},
		{Held: h, Kind: driver.Release, Attempts: 7},
		{Held: h, Kind: driver.Dead, Attempts: 7, Error: "late"},
	}
}

func fenceLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a late outcome of a claim that was taken over is reported as stale",
			Why:   "a process that stalled past its lease would undo what the new owner does",
			Check: check(lateOutcomeIsStale[Tx]),
		},
		{
			Name:  "an outcome counts only under its event, seq, number and owner",
			Why:   "each of the four alone can be the same for two claims: reused ids, restarted relays, repeated claims",
			Check: check(fenceLooksAtAll[Tx]),
		},
		{
			Name:  "an outcome of a row that was freed changes nothing",
			Why:   "the row is as free for others as a new one, and an old answer must not settle it",
			Check: check(freedRowIsFenced[Tx]),
		},
		{
			Name:  "two claims of one row in one call are answered for each",
			Why:   "a relay may have an old and a new outcome of a row in one batch; mixing them up loses one",
			Check: check(answersSpeakOfOneClaim[Tx]),
		},
		{
			Name:  "stale outcomes in a batch do not block the others",
			Why:   "one row lost to another relay must not hold up a batch of deliveries",
			Check: check(staleIsAlone[Tx]),
		},
		{
			Name:  "the fence decides the same with a stale, wrong or missing token",
			Why:   "a row that moved, or another one in its place, must neither be missed nor be taken for the claimed one",
			Check: check(locators[Tx]),
		},
	}
}

func lateOutcomeIsStale[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	late := k.claimOne(a, brief)
	current := k.claimSoon(b, long, 1)[0]
	for _, o := range outcomesOf(late.Held) {
		k.mustBeStale(a, o)
	}
	k.sameHeld("lost", k.renew(a, brief, late.Held), []driver.Held{late.Held})
	k.claimNothing("it is held by the new owner, and a late outcome must not free it", lane)
	k.mustSettle(b, driver.Outcome{Held: current.Held, Kind: driver.Release})
	if c := k.claimOne(b, long); c.Attempts != 0 {
		k.Errorf("attempts %d: a late outcome was counted", c.Attempts)
	}
}

func fenceLooksAtAll[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	c := k.claimOne(a, long)
	for _, o := range outcomesOf(c.Held) {
		k.mustBeStale(driver.NewOwner("a"), o) // the same name in another process
	}
	for _, h := range variants(c.Held) {
		for _, o := range outcomesOf(h) {
			k.mustBeStale(a, o)
		}
	}
	k.claimNothing("an outcome under a wrong name freed it", lane)
	k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
}

func freedRowIsFenced[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	c := k.claimOne(a, long)
	k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Release})
	next := c.Held
	next.ClaimNo++ // the number that the row has now, without an owner
	for _, h := range []driver.Held{c.Held, next} {
		for _, o := range outcomesOf(h) {
			k.mustBeStale(a, o)
			k.mustBeStale("", o)
		}
		k.sameHeld("lost", k.renew(a, long, h), []driver.Held{h})
	}
	if c := k.claimOne(a, long); c.Attempts != 0 || c.Recovered != 0 {
		k.Errorf("attempts %d, recovered %d: expected the row unchanged", c.Attempts, c.Recovered)
	}
}

func answersSpeakOfOneClaim[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	old := k.claimOne(a, brief)
	current := k.claimSoon(a, long, 1)[0]
	k.sameHeld("lost", k.renew(a, long, old.Held, current.Held), []driver.Held{old.Held})
	stale := k.settle(a,
		driver.Outcome{Held: old.Held, Kind: driver.Dead, Attempts: 9, Error: "old"},
		driver.Outcome{Held: current.Held, Kind: driver.Retry, Attempts: 1, Error: "current"})
	k.sameHeld("stale", stale, []driver.Held{old.Held})
	if c := k.claimOne(a, long); c.Attempts != 1 {
		k.Errorf("attempts %d, expected 1: the outcome of the current claim", c.Attempts)
	}
}

func staleIsAlone[Tx any](k *kit[Tx]) {
	k.write(events(lane, 6)...)
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	var outcomes []driver.Outcome
	var stale []driver.Held
	for i, c := range cs {
		o := driver.Outcome{Held: c.Held, Kind: []driver.OutcomeKind{driver.Done, driver.Retry, driver.Dead}[i/2]}
		if i%2 == 1 {
			o.ClaimNo++
			stale = append(stale, o.Held)
		}
		outcomes = append(outcomes, o)
	}
	k.sameHeld("stale", k.settle(a, outcomes...), stale)
	k.dead(cs[4].EventID)
	k.sameHeld("lost", k.renew(a, long, cs[1].Held, cs[3].Held, cs[5].Held), nil)
	if c := k.claimOne(a, long); c.EventID != cs[2].EventID {
		k.Errorf("claimed %s, expected %s, which was to be tried again", c.EventID, cs[2].EventID)
	}
	k.sweepAll(1) // the one that is done
}
