package storetest

import (
	"context"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func headStartLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a head start keeps others away until it is over, and no longer",
			Why:   "the hot path delivers without a claim, and an event whose writer died must not wait forever",
			Check: check(headStartKeepsAway[Tx]),
		},
		{
			Name:  "a row under its head start is settled without a claim, as number 0",
			Why:   "this is what makes the hot path cheap",
			Check: check(hotSettle[Tx]),
		},
		{
			Name:  "once the row is claimed, number 0 is stale",
			Why:   "the writer's process may have stalled past the head start, and another owns the event",
			Check: check(hotIsFenced[Tx]),
		},
		{
			Name:  "a renewal under number 0 holds the row and keeps the number",
			Why:   "a hot event whose listener runs for a minute must not be delivered twice",
			Check: check(hotRenewal[Tx]),
		},
		{
			Name:  "a row can be taken by name once, despite its head start",
			Why:   "a hot event that waited in the queue for too long needs a claim before it runs",
			Check: check(takeByName[Tx]),
		},
		{
			Name:  "only a row as its writer left it can be taken by name",
			Why:   "anything else belongs to somebody, or has been delivered",
			Check: check(takeOnlyUntouched[Tx]),
		},
		{
			Name:  "confirm knows what was committed and what was not",
			Why:   "an event written inside a savepoint is looked up before it is delivered from memory",
			Check: check(confirmKnows[Tx]),
		},
		{
			Name:  "a transaction that outlives its head start is delivered once",
			Why:   "hot path and poller both see it then, and only one of them may deliver it",
			Check: check(openLongerThanHeadStart[Tx]),
		},
		{
			Name:  "an event whose tracking never ends comes after its head start",
			Why:   "a forgotten done, or a panic after the commit, must not lose events",
			Check: check(trackNeverEnds[Tx]),
		},
	}
}

func headStartKeepsAway[Tx any](k *kit[Tx]) {
	k.writeHot(long, event("other"))
	k.claimNothing("it has a head start", "other")
	ws := k.writeHot(brief, events(lane, 3)...)
	for i, c := range k.claimSoon(driver.NewOwner("a"), long, 3) {
		if c.EventID != ws[i].Event.ID || c.Seq != ws[i].Seq || c.ClaimNo != 1 || c.Recovered != 0 || c.Attempts != 0 {
			k.Errorf("claimed %+v (recovered %d, attempts %d) after the head start of %+v: expected number 1, and nobody recovered from", c.Held, c.Recovered, c.Attempts, hotHeld(ws[i]))
		}
	}
}

func hotSettle[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	ws := k.writeHot(long, events(lane, 4)...)
	var outcomes []driver.Outcome
	for i, w := range ws {
		outcomes = append(outcomes, outcomesOf(hotHeld(w))[i])
	}
	k.mustSettle(a, outcomes...)
	k.kept(ws[0].Event.ID)
	k.dead(ws[3].Event.ID)
	k.mustBeStale(a, outcomes...)
	free := k.claim(a, lane)
	k.sameIDs("claimed", idsOf(free), []string{ws[1].Event.ID, ws[2].Event.ID})
	for _, c := range free {
		if c.ClaimNo != 2 || c.Attempts != 7 || c.Recovered != 0 {
			k.Errorf("%+v, attempts %d, recovered %d: expected number 2 (freed, then claimed) and 7 attempts", c.Held, c.Attempts, c.Recovered)
		}
	}
	w := k.writeHot(long, event(lane))[0]
	k.settleAndDelete(a, driver.Outcome{Held: hotHeld(w), Kind: driver.Done})
	k.gone(w.Event.ID)
	k.sweepAll(1) // the first, which was kept
}

func hotIsFenced[Tx any](k *kit[Tx]) {
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	hot := hotHeld(k.writeHot(brief, event(lane))[0])
	c := k.claimSoon(b, long, 1)[0]
	stale := func() {
		k.Helper()
		for _, owner := range []driver.Owner{a, b, ""} {
			for _, o := range outcomesOf(hot) {
				k.mustBeStale(owner, o)
			}
			k.sameHeld("lost", k.renew(owner, brief, hot), []driver.Held{hot})
		}
	}
	stale()
	k.mustSettle(b, driver.Outcome{Held: c.Held, Kind: driver.Release})
	stale() // free again, and still not the writer's
	c = k.claimOne(b, long)
	k.mustSettle(b, driver.Outcome{Held: c.Held, Kind: driver.Done})
	stale()
}

func hotRenewal[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	ws := k.writeHot(brief, events(lane, 2)...)
	held := []driver.Held{hotHeld(ws[0]), hotHeld(ws[1])}
	for range 2 {
		lost, err := k.Store.Renew(k.ctx, a, long, []driver.Renewal{{Held: held[0], Attempts: 1}, {Held: held[1]}})
		k.must(err)
		k.sameHeld("lost", lost, nil)
		k.claimNothing("its head start was renewed", lane)
	}
	there, err := k.Store.Confirm(k.ctx, held)
	k.must(err)
	k.sameHeld("without an owner and under number 0", there, held)
	k.mustSettle(a, driver.Outcome{Held: held[1], Kind: driver.Done})
	k.sameHeld("lost", k.renew(a, brief, held[0]), nil)
	if c := k.claimSoon(a, long, 1)[0]; c.ClaimNo != 1 || c.Recovered != 0 || c.Attempts != 1 {
		k.Errorf("%+v, recovered %d, attempts %d: expected number 1, nobody recovered from, and the attempt that the renewal wrote", c.Held, c.Recovered, c.Attempts)
	}
}

func takeByName[Tx any](k *kit[Tx]) {
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	hot := hotHeld(k.writeHot(long, event(lane))[0])
	taken, err := k.Store.Take(k.ctx, a, long, []driver.Held{hot})
	k.must(err)
	held := hot
	held.ClaimNo = 1
	k.sameHeld("taken", taken, []driver.Held{held})
	for _, owner := range []driver.Owner{a, b} {
		again, err := k.Store.Take(k.ctx, owner, brief, []driver.Held{hot})
		k.must(err)
		k.sameHeld("taken a second time", again, nil)
	}
	k.mustBeStale(a, driver.Outcome{Held: hot, Kind: driver.Dead})
	k.claimNothing("it was taken", lane)
	k.sameHeld("lost", k.renew(a, brief, held), nil)
	if c := k.claimSoon(b, long, 1)[0]; c.ClaimNo != 2 || c.Recovered != 1 {
		k.Errorf("%+v, recovered %d: expected number 2 and one owner that went away", c.Held, c.Recovered)
	}
}

func takeOnlyUntouched[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	ws := k.writeHot(brief, events(lane, 4)...)
	cs := k.claimSoon(a, long, 4)
	k.mustSettle(a,
		driver.Outcome{Held: cs[1].Held, Kind: driver.Release},
		driver.Outcome{Held: cs[2].Held, Kind: driver.Done},
		driver.Outcome{Held: cs[3].Held, Kind: driver.Dead})
	var names []driver.Held
	for _, w := range ws {
		names = append(names, hotHeld(w))
	}
	freed := cs[1].Held
	freed.ClaimNo++
	names = append(names, cs[0].Held, freed, driver.Held{EventID: outbox.NewID(), Seq: 1})
	mine := hotHeld(k.writeHot(long, event(lane))[0])
	wrongSeq := mine
	wrongSeq.Seq += 1000
	taken, err := k.Store.Take(k.ctx, a, long, append(names, wrongSeq, mine))
	k.must(err)
	mine.ClaimNo = 1
	k.sameHeld("taken", taken, []driver.Held{mine})
}

func confirmKnows[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	ws := k.writeHot(long, events(lane, 5)...)
	hook := &recordingHook{headStart: long}
	w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
	_ = w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
		if _, err := w.Write(ctx, tx, event(lane)); err != nil {
			k.Errorf("write: %v", err)
		}
		return errUndo
	})
	var ask []driver.Held
	for _, w := range append(slices.Clone(ws), hook.dropped...) {
		ask = append(ask, hotHeld(w))
	}
	_, err := k.Store.Take(k.ctx, a, long, ask[1:2])
	k.must(err)
	k.mustSettle(a, driver.Outcome{Held: ask[2], Kind: driver.Done}, driver.Outcome{Held: ask[3], Kind: driver.Release})
	wrong := ask[4]
	wrong.Seq += 1000
	there, err := k.client(1).Confirm(k.ctx, append(slices.Clone(ask), wrong))
	k.must(err)
	k.sameHeld("confirmed", there, []driver.Held{ask[0], ask[4]})
}

func openLongerThanHeadStart[Tx any](k *kit[Tx]) {
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	for _, hotFirst := range []bool{true, false} {
		hook := &recordingHook{headStart: brief}
		w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
		k.must(w.InTx(k.ctx, func(ctx context.Context, tx Tx) error {
			_, err := w.Write(ctx, tx, event(lane))
			k.pass(20 * brief)
			return err
		}))
		hot := hotHeld(hook.committed[0])
		if hotFirst {
			taken, err := k.Store.Take(k.ctx, a, long, []driver.Held{hot})
			k.must(err)
			if len(taken) != 1 {
				k.Fatalf("the writer's own process could not take its event, which nobody else has")
			}
			k.claimNothing("the hot path has it", lane)
			k.mustSettle(a, driver.Outcome{Held: taken[0], Kind: driver.Done})
			continue
		}
		c := k.claimSoon(b, long, 1)[0]
		taken, err := k.Store.Take(k.ctx, a, long, []driver.Held{hot})
		k.must(err)
		k.sameHeld("taken although the poller has it", taken, nil)
		k.mustBeStale(a, driver.Outcome{Held: hot, Kind: driver.Done})
		k.mustSettle(b, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
}

func trackNeverEnds[Tx any](k *kit[Tx]) {
	hook := &recordingHook{headStart: brief}
	w := outbox.NewWriter[Tx](k.Store, outbox.WithCommitHook(hook))
	ctx, _ := w.Track(k.ctx)
	tx, commit, rollback, err := k.Store.Begin(ctx)
	k.must(err)
	defer func() { _ = rollback() }()
	id, err := w.Write(ctx, tx, event(lane))
	k.must(err)
	k.must(commit())
	if c := k.claimSoon(driver.NewOwner("a"), long, 1)[0]; c.EventID != id {
		k.Errorf("claimed %s, expected %s", c.EventID, id)
	}
	if len(hook.committed) > 0 {
		k.Errorf("the hook was told of a commit that was never reported")
	}
}
