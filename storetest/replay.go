package storetest

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func replayLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a replayed letter is delivered as new, with its id and payload",
			Why:   "receivers know an event by its id, and a fresh start must have all its attempts",
			Check: check(replayIsNew[Tx]),
		},
		{
			Name:  "a replayed or edited letter still says that it may have been delivered",
			Why:   "if it dies again, whoever looks at it must not be told that no consumer has it",
			Check: check(replayMaybe[Tx]),
		},
		{
			Name:  "a replay answers for each id",
			Why:   "an operator who acts on a thousand letters must learn which ones were gone",
			Check: check(replayAnswers[Tx]),
		},
		{
			Name:  "of several letters that keys of one id name the latest goes back",
			Why:   "an old payload would be delivered, or none, because of a key that names no letter any more",
			Check: check(replayLatest[Tx]),
		},
		{
			Name:  "a letter whose id is in the outbox again stays where it is",
			Why:   "replaying it would overwrite an event that is not delivered yet",
			Check: check(replayConflicts[Tx]),
		},
		{
			Name:  "concurrent replays move each letter once",
			Why:   "a letter that comes back twice is delivered twice",
			Check: check(replayAtOnce[Tx]),
		},
		{
			Name:  "an outcome repeated after the letter was replayed changes nothing",
			Why:   "an old answer would undo the operator's decision to try again",
			Check: check(outcomeAfterReplay[Tx]),
		},
	}
}

// replay moves letters back, all of which must be there.
func (k *kit[Tx]) replay(ids ...string) {
	k.Helper()
	results, err := k.letters().ReplayDead(k.ctx, driver.DeadIDs(ids...))
	k.must(err)
	if i := slices.IndexFunc(results, func(r driver.DeadResult) bool { return r.Status != driver.DeadApplied }); len(results) != len(ids) || i >= 0 {
		k.Fatalf("the replay of %v answered %v", ids, results)
	}
}

func replayIsNew[Tx any](k *kit[Tx]) {
	e := event(lane)
	e.OccurredAt = time.Date(2001, 2, 3, 4, 5, 6, 7000000, time.UTC)
	e.Headers = map[string]string{"a": "b"}
	e.ID = k.kill("no", e)[0]
	l := k.letter(e.ID)
	k.replay(e.ID)
	if _, found, err := k.letters().GetDead(k.ctx, e.ID); err != nil || found {
		k.Errorf("found %t, error %v: expected no letter after its replay", found, err)
	}
	c := k.claimOne(driver.NewOwner("a"), long)
	if d := difference(c.Event, e, k.ClockResolution); d != "" {
		k.Errorf("the replayed event differs: %s", d)
	}
	if c.Attempts != 0 || c.Recovered != 0 || !c.CreatedAt.Equal(l.CreatedAt) {
		k.Errorf("attempts %d, recovered %d, created at %s; the letter was created at %s", c.Attempts, c.Recovered, c.CreatedAt, l.CreatedAt)
	}
	k.earlier(c, false)
	if c.Seq <= l.Seq || c.ClaimNo != l.ClaimNo+2 {
		k.Errorf("replayed as %+v after %+v: expected a new seq, and the number plus one for the replay and one for the claim", c.Held, l.Held)
	}
	if c.Position.AvailableAt.Before(l.DiedAt) {
		k.Errorf("due at %s, before its death at %s", c.Position.AvailableAt, l.DiedAt)
	}
}

// earlier checks what a row that went back says about its earlier history.
func (k *kit[Tx]) earlier(c driver.Claimed, want bool) {
	k.Helper()
	fs := driver.ParseFailures(c.Failures)
	if len(fs) > 1 || (len(fs) == 1) != want || driver.MaybeDelivered(fs) != want {
		k.Errorf("the history %s: expected it to say that it may have been delivered before: %t", c.Failures, want)
	}
}

// replayMaybe retries letters: with a lost answer, with one that was lost long
// ago, and without a history.
func replayMaybe[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	for _, f := range []driver.Failure{
		{Attempt: 1, Class: driver.ClassTimeout, Error: "no", Maybe: true},
		{Attempt: 1, Class: driver.ClassPermanent, Error: "no", MaybeBefore: true},
		{},
	} {
		for _, edit := range []bool{false, true} {
			id := k.write(event(lane))[0]
			o := driver.Outcome{Held: k.claimOne(a, long).Held, Kind: driver.Dead, Attempts: 1, Error: "no"}
			if f.Attempt > 0 {
				o.Failures = driver.AppendFailure(nil, f)
			}
			k.mustSettle(a, o)
			if edit {
				l := k.letter(id)
				_, err := k.letters().EditDead(k.ctx, l.Key(), driver.DeadEdit{JSON: []byte("1")})
				k.must(err)
			} else {
				k.replay(id)
			}
			c := k.claimOne(a, long)
			k.earlier(c, true)
			k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
		}
	}
}

func replayAnswers[Tx any](k *kit[Tx]) {
	dead := k.kill("no", event(lane), event(lane))
	alive := k.write(event("other"))[0]
	ids := []string{dead[1], outbox.NewID(), alive, dead[0]}
	results, err := k.letters().ReplayDead(k.ctx, driver.DeadIDs(ids...))
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

func replayLatest[Tx any](k *kit[Tx]) {
	type keys = []driver.DeadKey
	for name, c := range map[string]struct {
		keys func(id string, first, second int64) keys
		want []driver.DeadStatus
	}{
		"every letter, and one that is gone": {
			func(id string, _, second int64) keys { return keys{{EventID: id}, {EventID: id, Seq: second + 1000}} },
			[]driver.DeadStatus{driver.DeadApplied, driver.DeadNotFound},
		},
		"the first, and every letter": {
			func(id string, first, _ int64) keys { return keys{{EventID: id, Seq: first}, {EventID: id}} },
			[]driver.DeadStatus{driver.DeadConflict, driver.DeadApplied},
		},
		"the second twice": {
			func(id string, _, second int64) keys {
				return keys{{EventID: id, Seq: second}, {EventID: id, Seq: second}}
			},
			[]driver.DeadStatus{driver.DeadApplied, driver.DeadApplied},
		},
	} {
		e := event(lane)
		e.ID = outbox.NewID()
		k.kill("first", e)
		first := k.letter(e.ID).Seq
		k.kill("second", e)
		second := k.letter(e.ID).Seq
		results, err := k.letters().ReplayDead(k.ctx, c.keys(e.ID, first, second))
		k.must(err)
		var got []driver.DeadStatus
		for _, r := range results {
			got = append(got, r.Status)
		}
		if !slices.Equal(got, c.want) {
			k.Errorf("%s: answered %v, expected %v", name, results, c.want)
		}
		if l := k.letter(e.ID); l.Error != "first" {
			k.Errorf("%s: the letter that is left died of %q, expected the first", name, l.Error)
		}
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
		results, err := k.letters().ReplayDead(k.ctx, driver.DeadIDs(e.ID))
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

func replayAtOnce[Tx any](k *kit[Tx]) {
	ids := k.kill("no", events(lane, 40)...)
	answers := make(chan []driver.DeadResult, 2)
	for _, s := range []driver.DeadLetterStore{k.letters(), k.client(1).(driver.DeadLetterStore)} {
		go func() {
			results, err := s.ReplayDead(k.ctx, driver.DeadIDs(ids...))
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

func outcomeAfterReplay[Tx any](k *kit[Tx]) {
	id := k.write(event(lane))[0]
	a := driver.NewOwner("a")
	c := k.claimOne(a, long)
	dead := driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 1, Error: "no"}
	k.mustSettle(a, dead)
	k.replay(id)
	for _, o := range append(outcomesOf(c.Held), dead) {
		k.mustBeStale(a, o)
	}
	again := k.claimOne(a, long)
	for _, o := range append(outcomesOf(c.Held), dead) {
		k.mustBeStale(a, o)
	}
	if again.Seq <= c.Seq || again.ClaimNo <= c.ClaimNo {
		k.Errorf("replayed as %+v after %+v: expected a later seq and a higher number", again.Held, c.Held)
	}
	k.mustSettle(a, driver.Outcome{Held: again.Held, Kind: driver.Done})
}
