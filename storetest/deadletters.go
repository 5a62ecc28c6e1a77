package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func deadLetterLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a replayed letter is delivered again as new, with its id, payload and times",
			Why:   "receivers know an event by its id, and a fresh start must have all its attempts",
			Check: check(replayIsNew[Tx]),
		},
		{
			Name:  "a replay answers for each id",
			Why:   "a person who acts on a thousand letters must learn which ones were not there any more",
			Check: check(replayAnswers[Tx]),
		},
		{
			Name:  "a letter whose id is in the outbox again stays where it is",
			Why:   "replaying it would overwrite an event that is not delivered yet",
			Check: check(replayConflicts[Tx]),
		},
		{
			Name:  "an id that died twice has two letters, and the later one is meant",
			Why:   "an event that nobody looked at must not be overwritten by another of the same id",
			Check: check(diedTwice[Tx]),
		},
		{
			Name:  "a resolved letter is out of the way, and is deleted only past its age",
			Why:   "nothing is deleted that a person has not decided about",
			Check: check(resolvedLetters[Tx]),
		},
		{
			Name:  "a deleted letter is gone, and its id with it",
			Why:   "a person decided so",
			Check: check(deletedLetters[Tx]),
		},
		{
			Name:  "two who replay at once move each letter once",
			Why:   "a letter that comes back twice is delivered twice",
			Check: check(replayAtOnce[Tx]),
		},
	}
}

// kill makes dead letters of new events, in order of death.
func (k *kit[Tx]) kill(reason string, es ...outbox.Event) []string {
	k.Helper()
	a := driver.NewOwner("killer")
	ids := k.write(es...)
	for _, e := range es {
		for _, c := range k.claim(a, e.Type) {
			k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 10, Error: reason,
				Failures: driver.AppendFailure(nil, driver.Failure{Attempt: 10, Error: reason})})
		}
	}
	return ids
}

func replayIsNew[Tx any](k *kit[Tx]) {
	e := event(lane)
	e.OccurredAt = time.Date(2001, 2, 3, 4, 5, 6, 7000000, time.UTC)
	e.Headers = map[string]string{"a": "b"}
	e.ID = k.kill("no", e)[0]
	l := k.letter(e.ID)
	k.replay(e.ID)
	if _, found, err := k.Store.GetDead(k.ctx, e.ID); err != nil || found {
		k.Errorf("found %t, error %v: a replayed letter is none any more", found, err)
	}
	c := k.claimOne(driver.NewOwner("a"), long)
	if d := difference(c.Event, e, k.ClockResolution); d != "" {
		k.Errorf("the replayed event differs: %s", d)
	}
	if c.Attempts != 0 || c.Recovered != 0 || !c.CreatedAt.Equal(l.CreatedAt) {
		k.Errorf("attempts %d, recovered %d, created at %s; the letter was created at %s", c.Attempts, c.Recovered, c.CreatedAt, l.CreatedAt)
	}
	if c.Seq <= l.Seq || c.ClaimNo != l.ClaimNo+2 {
		k.Errorf("replayed as %+v after %+v: expected a new seq, and the number plus one for the replay and one for the claim", c.Held, l.Held)
	}
	if c.Position.AvailableAt.Before(l.DiedAt) {
		k.Errorf("due at %s, before its death at %s", c.Position.AvailableAt, l.DiedAt)
	}
}

func replayAnswers[Tx any](k *kit[Tx]) {
	dead := k.kill("no", event(lane), event(lane))
	alive := k.write(event("other"))[0]
	ids := []string{dead[1], outbox.NewID(), alive, dead[0]}
	results, err := k.Store.ReplayDead(k.ctx, ids)
	k.must(err)
	got := map[string]driver.DeadStatus{}
	for _, r := range results {
		got[r.ID] = r.Status
	}
	if len(results) != 4 || got[dead[0]] != driver.DeadApplied || got[dead[1]] != driver.DeadApplied || got[ids[1]] != driver.DeadNotFound || got[alive] != driver.DeadNotFound {
		k.Errorf("results %v: expected applied for %v and not found for the others", results, dead)
	}
	k.sameIDs("claimed", idsOf(k.claim(driver.NewOwner("a"), lane)), dead)
	if c := k.claim(driver.NewOwner("a"), "other"); len(c) != 1 || c[0].ClaimNo != 1 {
		k.Errorf("the event that was not dead is now %v", heldOf(c))
	}
}

func replayConflicts[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	e := event(lane)
	e.ID = outbox.NewID()
	k.kill("no", e)
	again := e
	again.JSON = []byte(`{"n":2}`)
	k.write(again)
	conflict := func(state string) {
		k.Helper()
		results, err := k.Store.ReplayDead(k.ctx, []string{e.ID})
		k.must(err)
		if len(results) != 1 || results[0] != (driver.DeadResult{ID: e.ID, Status: driver.DeadConflict}) {
			k.Errorf("results %v, expected a conflict: the id is %s", results, state)
		}
		if d := difference(k.letter(e.ID).Event, e, k.ClockResolution); d != "" {
			k.Errorf("the letter changed: %s", d)
		}
	}
	conflict("pending")
	c := k.claimOne(a, long)
	if d := difference(c.Event, again, k.ClockResolution); d != "" {
		k.Errorf("the pending event changed: %s", d)
	}
	conflict("claimed")
	k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	conflict("done")
	k.eventually("the done row is swept", func() bool {
		n, err := k.Store.Sweep(k.ctx, 0, all)
		k.must(err)
		return n == 1
	})
	k.replay(e.ID)
	if c := k.claimOne(a, long); c.Seq <= 0 || string(c.Event.JSON) != string(e.JSON) {
		k.Errorf("replayed %s, expected the letter's %s", c.Event.JSON, e.JSON)
	}
}

func diedTwice[Tx any](k *kit[Tx]) {
	first, second := named("again"), named("again")
	first.JSON, second.JSON = []byte(`"first"`), []byte(`"second"`)
	k.kill("first", first)
	k.kill("second", second)
	ls, err := k.Store.ListDead(k.ctx, driver.DeadFilter{}, nil, all)
	k.must(err)
	if len(ls) != 2 {
		k.Fatalf("%d letters, expected 2", len(ls))
	}
	if l := k.letter("again"); string(l.Event.JSON) != `"second"` || l.Error != "second" {
		k.Errorf("the letter is that of %s (%s), expected the later one", l.Event.JSON, l.Error)
	}
	k.replay("again")
	if c := k.claimOne(driver.NewOwner("a"), long); string(c.Event.JSON) != `"second"` {
		k.Errorf("replayed %s, expected the later one", c.Event.JSON)
	}
	if l := k.letter("again"); string(l.Event.JSON) != `"first"` {
		k.Errorf("the letter is that of %s, expected the earlier one", l.Event.JSON)
	}
}

func resolvedLetters[Tx any](k *kit[Tx]) {
	ids := k.kill("no", events(lane, 5)...)
	results, err := k.Store.ResolveDead(k.ctx, append(slices.Clone(ids[:3]), "unknown"))
	k.must(err)
	if s := fmt.Sprint(results); len(results) != 4 || strings.Count(s, "applied") != 3 || strings.Count(s, "not found") != 1 {
		k.Errorf("results %v: expected three applied and one not found", results)
	}
	if l := k.letter(ids[0]); l.ResolvedAt.Before(l.DiedAt) {
		k.Errorf("died %s, resolved %s", l.DiedAt, l.ResolvedAt)
	}
	if st := k.stats(); st.Dead.N != 2 {
		k.Errorf("%d dead, expected the two that nobody resolved", st.Dead.N)
	}
	n, err := k.Store.SweepDead(k.ctx, long, all)
	k.must(err)
	if n != 0 {
		k.Errorf("swept %d, but none is an hour old", n)
	}
	swept := 0
	k.eventually("the resolved letters are swept", func() bool {
		n, err := k.Store.SweepDead(k.ctx, 0, 2)
		k.must(err)
		if n > 2 {
			k.Fatalf("swept %d, asked were 2 at most", n)
		}
		swept += n
		return swept >= 3
	})
	for _, id := range ids[3:] {
		k.letter(id)
	}
}

func deletedLetters[Tx any](k *kit[Tx]) {
	ids := k.kill("no", events(lane, 3)...)
	for range 2 {
		results, err := k.Store.DeleteDead(k.ctx, ids[:2])
		k.must(err)
		if len(results) != 2 {
			k.Errorf("results %v, expected one for each id", results)
		}
	}
	results, err := k.Store.ReplayDead(k.ctx, ids)
	k.must(err)
	if s := fmt.Sprint(results); strings.Count(s, "applied") != 1 || strings.Count(s, "not found") != 2 {
		k.Errorf("results %v: expected one applied, two not found", results)
	}
	k.claimOne(driver.NewOwner("a"), long)
	e := event(lane)
	e.ID = ids[0]
	k.write(e)
}

func replayAtOnce[Tx any](k *kit[Tx]) {
	ids := k.kill("no", events(lane, 40)...)
	answers := make(chan []driver.DeadResult, 2)
	for _, s := range []Store[Tx]{k.Store, k.client(1)} {
		go func() {
			results, err := s.ReplayDead(k.ctx, ids)
			if err != nil {
				k.Errorf("replay: %v", err)
			}
			answers <- results
		}()
	}
	applied := 0
	for range 2 {
		for _, r := range <-answers {
			if r.Status == driver.DeadApplied {
				applied++
			}
		}
	}
	if applied != len(ids) {
		k.Errorf("%d replays were applied, expected %d", applied, len(ids))
	}
	cs := k.claim(driver.NewOwner("a"), lane)
	k.sameIDs("claimed", idsOf(cs), ids)
}
