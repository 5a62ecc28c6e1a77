package storetest

import (
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func leaseLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "the claim of a live owner is skipped",
			Why:   "two relays must not deliver an event at the same time",
			Check: check(liveClaimIsSkipped[Tx]),
		},
		{
			Name:  "the claim of a lost owner is taken over without an attempt",
			Why:   "a crash, or a claim whose answer was lost, is not the event's failure, and must not delay it forever",
			Check: check(deadClaimIsTaken[Tx]),
		},
		{
			Name:  "recovered counts lost owners in a row, and a settle resets it",
			Why:   "this number exposes an event that keeps crashing its process, and must not accuse an innocent one",
			Check: check(recoveredCounts[Tx]),
		},
		{
			Name:  "a renewal holds the row for as long as it says",
			Why:   "a slow listener must not run twice while its relay lives",
			Check: check(renewalHolds[Tx]),
		},
		{
			Name:  "a renewal writes the attempt as an absolute number",
			Why:   "a suspect's attempt is written before its run, so that a crash cannot lose it and a retry cannot count it twice",
			Check: check(renewalWritesAttempt[Tx]),
		},
		{
			Name:  "a renewal reports lost claims, and changes none of them",
			Why:   "a relay that woke up late must learn what it lost before it starts a run",
			Check: check(renewalReportsLost[Tx]),
		},
		{
			Name:  "a claim that ran out and that nobody took is still held",
			Why:   "a settle that is slightly late must count: the delivery did happen",
			Check: check(expiredClaimIsHeld[Tx]),
		},
	}
}

func liveClaimIsSkipped[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	k.claimOne(driver.NewOwner("a"), long)
	k.claimNothing("another holds it", lane)
}

func deadClaimIsTaken[Tx any](k *kit[Tx]) {
	id := k.write(event(lane))[0]
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	first := k.claimOne(a, brief)
	again := k.claimSoon(b, long, 1)[0]
	if again.EventID != id || again.Seq != first.Seq || again.ClaimNo != first.ClaimNo+1 {
		k.Errorf("held as %+v after %+v: expected the same row under the next number", again.Held, first.Held)
	}
	if again.Attempts != 0 || again.Recovered != 1 {
		k.Errorf("attempts %d, recovered %d: expected 0 and 1", again.Attempts, again.Recovered)
	}
	k.mustSettle(b, driver.Outcome{Held: again.Held, Kind: driver.Done})
	k.nonePending()
	k.sweepAll(1)
}

func recoveredCounts[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	var c driver.Claimed
	for want := range 4 {
		c = k.claimSoon(a, brief, 1)[0]
		if c.Recovered != want || c.ClaimNo != int64(want)+1 {
			k.Fatalf("claim %d: recovered %d under number %d", want+1, c.Recovered, c.ClaimNo)
		}
	}
	for _, kind := range []driver.OutcomeKind{driver.Release, driver.Retry} {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: kind})
		c = k.claimOne(a, brief)
		if c.Recovered != 0 {
			k.Errorf("recovered %d after %s, expected 0", c.Recovered, kind)
		}
		if c = k.claimSoon(a, long, 1)[0]; c.Recovered != 1 {
			k.Errorf("recovered %d, expected 1: one owner went away since the %s", c.Recovered, kind)
		}
	}
}

func renewalHolds[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	c := k.claimOne(a, brief)
	if lost := k.renew(a, long, c.Held); len(lost) > 0 {
		k.Fatalf("lost %v, but nobody else took it", lost)
	}
	k.claimNothing("its claim was renewed", lane)
	if lost := k.renew(a, brief, c.Held); len(lost) > 0 {
		k.Fatalf("lost %v, but nobody else took it", lost)
	}
	again := k.claimSoon(driver.NewOwner("b"), long, 1)[0]
	if again.ClaimNo != c.ClaimNo+1 || again.Recovered != 1 || again.Attempts != 0 {
		k.Errorf("%+v, recovered %d, attempts %d: renewals must not change number or attempts", again.Held, again.Recovered, again.Attempts)
	}
}

func renewalWritesAttempt[Tx any](k *kit[Tx]) {
	k.write(events(lane, 3)...)
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	for _, third := range []int{2, driver.NoAttempts} {
		lost, err := k.Store.Renew(k.ctx, a, brief, []driver.Renewal{
			{Held: cs[0].Held, Attempts: 3}, {Held: cs[1].Held}, {Held: cs[2].Held, Attempts: third},
		})
		k.must(err)
		k.sameHeld("lost", lost, nil)
	}
	for _, c := range k.claimSoon(driver.NewOwner("b"), long, 3) {
		want := 0
		if c.EventID == cs[0].EventID {
			want = 3
		}
		if c.Attempts != want {
			k.Errorf("attempts %d, expected %d", c.Attempts, want)
		}
	}
}

func renewalReportsLost[Tx any](k *kit[Tx]) {
	k.write(events(lane, 4)...)
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	cs := k.claim(a, lane)
	mine, done, freed, wrong := cs[0].Held, cs[1].Held, cs[2].Held, cs[3].Held
	k.mustSettle(a, driver.Outcome{Held: done, Kind: driver.Done}, driver.Outcome{Held: freed, Kind: driver.Release})
	k.claimOne(b, long) // the freed one
	lost := slices.Concat(variants(wrong), []driver.Held{done, freed})
	k.sameHeld("lost", k.renew(a, long, append([]driver.Held{mine}, lost...)...), lost)
	k.sameHeld("lost to another owner", k.renew(b, brief, mine), []driver.Held{mine})
	k.claimNothing("a renewal under a wrong name changed it", lane)
	k.mustSettle(a, driver.Outcome{Held: mine, Kind: driver.Done}, driver.Outcome{Held: wrong, Kind: driver.Done})
}

// variants are names that differ from h in one part.
func variants(h driver.Held) []driver.Held {
	return []driver.Held{
		{EventID: h.EventID, Seq: h.Seq, ClaimNo: h.ClaimNo + 1},
		{EventID: h.EventID, Seq: h.Seq, ClaimNo: h.ClaimNo - 1},
		{EventID: h.EventID, Seq: h.Seq + 1000, ClaimNo: h.ClaimNo},
		{EventID: outbox.NewID(), Seq: h.Seq, ClaimNo: h.ClaimNo},
	}
}

func expiredClaimIsHeld[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	c := k.claimOne(a, brief)
	// The lease is over when a marker with the same one, claimed later, can
	// be claimed again.
	k.write(event("marker"))
	k.claimWants(a, brief, wants("marker")...)
	k.eventually("the lease is over", func() bool { return len(k.claim(a, "marker")) == 1 })
	k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	k.claimNothing("it is done", lane)
}
