package storetest

import (
	"context"
	"errors"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func lockLaws[Tx any]() []Law[Tx] {
	hasLocks := func(s Subject[Tx]) bool { return s.LockRow != nil }
	return []Law[Tx]{
		{
			Name:    "a settle names and skips rows that another session has locked",
			Why:     "one transaction left open would block all settles, and their events would be delivered again",
			Applies: hasLocks,
			Check:   check(settleNamesLocked[Tx]),
		},
		{
			Name:    "a renewal names and skips rows that another session has locked",
			Why:     "one transaction left open would let the leases of all events in delivery expire",
			Applies: hasLocks,
			Check:   check(renewalNamesLocked[Tx]),
		},
		{
			Name:    "a claim by name skips a row that another session has locked",
			Why:     "the events written with it would have to wait too",
			Applies: hasLocks,
			Check:   check(takeLeavesOutLocked[Tx]),
		},
		{
			Name:    "a claim skips a row that another session has locked",
			Why:     "the events behind it would have to wait too",
			Applies: hasLocks,
			Check:   check(claimLeavesOutLocked[Tx]),
		},
	}
}

// soon bounds a call that must not wait, or not for long, and whose answer must
// be exact, so that it cannot be repeated. How long it may take is a law of its
// own.
func (k *kit[Tx]) soon(f func(ctx context.Context)) {
	k.Helper()
	ctx, cancel := context.WithTimeout(k.ctx, patience)
	defer cancel()
	f(ctx)
	if ctx.Err() != nil {
		k.Fatalf("the call took %s: it waited for the lock", patience)
	}
}

// namesLocked expects an error to name exactly those rows.
func (k *kit[Tx]) namesLocked(err error, want ...driver.Held) {
	k.Helper()
	var locked *driver.LockedError
	if !errors.As(err, &locked) {
		k.Fatalf("error %v, expected one that names the locked rows", err)
	}
	if errors.Is(err, outbox.ErrStoreDown) {
		k.Errorf("error %v says that the database is down", err)
	}
	k.sameHeld("locked", locked.Rows, want)
}

// apart takes the locked rows out of an error. With many clients on a busy
// machine, a row may be locked for longer than a store waits.
func apart(err error) (locked []driver.Held, rest error) {
	if named := (*driver.LockedError)(nil); errors.As(err, &named) {
		return named.Rows, nil
	}
	return nil, err
}

func settleNamesLocked[Tx any](k *kit[Tx]) {
	settleAround(k, driver.Done, false)
	settleAround(k, driver.Retry, true)
	settleAround(k, driver.Dead, true)
}

// settleAround settles many deliveries and one row of each kind while others
// have locked two rows: a delivery and one of that kind.
func settleAround[Tx any](k *kit[Tx], kind driver.OutcomeKind, keepDone bool) {
	k.Helper()
	const deliveries = 60 // enough for a store that looks up many in another way than a few
	a := driver.NewOwner("a")
	k.write(events(lane, deliveries+4)...)
	cs := k.claim(a, lane)
	var outcomes []driver.Outcome
	second := 0
	for i, c := range cs {
		o := driver.Outcome{Held: c.Held, Kind: driver.Done, Token: c.Token}
		if i >= deliveries {
			o = outcomesOf(c.Held)[i-deliveries]
		}
		if i >= deliveries && o.Kind == kind {
			second = i
		}
		outcomes = append(outcomes, o)
	}
	locked := []driver.Outcome{outcomes[7], outcomes[second]}
	var releases []func()
	for _, o := range locked {
		releases = append(releases, k.LockRow(k, o.EventID))
	}
	// A claim that is over is stale even if its row is locked. If a claim is
	// named twice, its first outcome counts, once the row is free.
	over := driver.Outcome{Held: locked[0].Held, Kind: driver.Done}
	over.ClaimNo++
	unknown := driver.Outcome{Held: driver.Held{EventID: outbox.NewID(), Seq: cs[0].Seq, ClaimNo: 1}, Kind: kind}
	again := outcomesOf(locked[1].Held)[1]
	k.soon(func(ctx context.Context) {
		stale, err := k.Store.Settle(ctx, a, append(slices.Clone(outcomes), over, unknown, again), keepDone)
		k.namesLocked(err, locked[0].Held, locked[1].Held)
		k.sameHeld("stale", stale, []driver.Held{over.Held, unknown.Held})
	})
	for _, release := range releases {
		release()
	}
	rest := slices.DeleteFunc(slices.Clone(outcomes), func(o driver.Outcome) bool {
		return o.Held == locked[0].Held || o.Held == locked[1].Held
	})
	k.mustBeStale(a, rest...)
	stale, err := k.Store.Settle(k.ctx, a, locked, keepDone)
	k.must(err)
	k.sameHeld("stale once the rows are free", stale, nil)
	k.dead(cs[len(cs)-1].EventID)
	free := k.claim(a, lane)
	k.sameIDs("free", idsOf(free), []string{cs[deliveries+1].EventID, cs[deliveries+2].EventID}) // retried, and given back
	for _, c := range free {
		k.settleAndDelete(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
	k.nonePending()
	if keepDone {
		k.sweepAll(deliveries + 1)
	} else {
		k.gone(idsOf(cs[:deliveries+1])...)
	}
}

func renewalNamesLocked[Tx any](k *kit[Tx]) {
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	k.write(events(lane, 6)...)
	cs := k.claimWants(a, brief, wants(lane)...)
	rows := make([]driver.Renewal, len(cs))
	for i, c := range cs {
		rows[i].Held = c.Held
	}
	rows[4].Attempts, rows[5].Attempts = 2, 3 // suspects
	over := rows[1]
	over.ClaimNo++
	release, releaseSuspect := k.LockRow(k, rows[1].EventID), k.LockRow(k, rows[4].EventID)
	k.soon(func(ctx context.Context) {
		lost, err := k.Store.Renew(ctx, a, long, append(slices.Clone(rows), over, rows[1]))
		k.namesLocked(err, rows[1].Held, rows[4].Held)
		k.sameHeld("lost", lost, []driver.Held{over.Held})
	})
	k.soon(func(ctx context.Context) {
		none, err := k.Store.Claim(ctx, driver.ClaimRequest{Owner: b, Lease: long, Wants: wants(lane)})
		k.must(err)
		k.sameHeld("claimed, though it was renewed or is locked", heldOf(none), nil)
	})
	release()
	releaseSuspect()
	got := k.claimSoon(b, long, 2)
	k.sameIDs("claimed after the lease, which was not renewed", idsOf(got), []string{rows[1].EventID, rows[4].EventID})
	for _, c := range got {
		if c.Attempts != 0 || c.ClaimNo != 2 {
			k.Errorf("%+v has %d attempts, expected a row that is as it was", c.Held, c.Attempts)
		}
	}
}

func takeLeavesOutLocked[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	var names, want []driver.Held
	for _, w := range k.writeHot(long, events(lane, 3)...) {
		h := hotHeld(w)
		names = append(names, h)
		h.ClaimNo = 1
		want = append(want, h)
	}
	release := k.LockRow(k, names[1].EventID)
	take := func(want ...driver.Held) {
		k.Helper()
		k.soon(func(ctx context.Context) {
			taken, err := k.Store.Take(ctx, a, long, names)
			k.must(err)
			k.sameHeld("taken", taken, want)
		})
	}
	take(want[0], want[2])
	take()
	release()
	take(want[1])
}

func claimLeavesOutLocked[Tx any](k *kit[Tx]) {
	ids := k.write(append(events(lane, 3), events("other", 2)...)...)
	release := k.LockRow(k, ids[0]) // the first, which all others stand behind
	claim := func(want ...string) {
		k.Helper()
		k.soon(func(ctx context.Context) {
			got, err := k.Store.Claim(ctx, driver.ClaimRequest{Owner: driver.NewOwner("a"), Lease: long, Wants: wants(lane, "other")})
			k.must(err)
			k.sameIDs("claimed", idsOf(got), want)
		})
	}
	claim(ids[1:]...)
	claim()
	release()
	claim(ids[0])
}
