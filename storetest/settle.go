package storetest

import (
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func settleLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a delivered row is kept as done, or deleted without retention",
			Why:   "both are needed: operators look at delivered rows, and large tables cannot afford them",
			Check: check(doneIsKeptOrDeleted[Tx]),
		},
		{
			Name:  "a retry writes attempts and history and frees the row",
			Why:   "the number of attempts decides when to give up, and operators read the history",
			Check: check(retryWrites[Tx]),
		},
		{
			Name:  "a row given back is unchanged except for its number",
			Why:   "an outage or a shutdown is not the event's failure, and must cost it neither an attempt nor its place",
			Check: check(releaseRestores[Tx]),
		},
		{
			Name:  "a release with a history replaces that of the row",
			Why:   "an answer that was lost costs no attempt, and yet whoever looks at the event must know that it may have been delivered",
			Check: check(releaseNotes[Tx]),
		},
		{
			Name:  "a retry and a give-back delay the row for as long as they say",
			Why:   "a backoff that is ignored hammers a destination that just failed",
			Check: check(delaysAreKept[Tx]),
		},
		{
			Name:  "one call settles many events with every outcome",
			Why:   "settling one by one would be the bottleneck of a relay",
			Check: check(settlesMany[Tx]),
		},
		{
			Name:  "a settle takes any error text of 4000 characters",
			Why:   "a settle that fails is sent again, and in the end the delivery is repeated",
			Check: check(errorTextSettles[Tx]),
		},
		{
			Name:  "calls with nothing to do return no error",
			Why:   "batches may be empty",
			Check: check(emptyCalls[Tx]),
		},
	}
}

func doneIsKeptOrDeleted[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	id := k.write(event(lane))[0]
	k.mustSettle(a, driver.Outcome{Held: k.claimOne(a, long).Held, Kind: driver.Done})
	k.nonePending()
	k.kept(id)
	k.sameIDs("known", k.stored(id), []string{id})
	deleted := k.write(event(lane))[0]
	k.settleAndDelete(a, driver.Outcome{Held: k.claimOne(a, long).Held, Kind: driver.Done})
	k.gone(deleted)
	k.claimNothing("all are delivered", lane)
	k.nonePending()
	k.sweepAll(1) // the first
}

func retryWrites[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	c := k.claimOne(a, long)
	var failures []byte
	for attempt := 1; attempt <= 12; attempt++ {
		failures = driver.AppendFailure(failures, driver.Failure{
			At: time.Now().UTC(), Took: time.Second, Owner: a, Attempt: attempt, Error: "\"quoted\" \\ \x01 \u2028 ✓ 🙂"})
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Retry, Attempts: attempt, Error: "no", Failures: failures})
		c = k.claimOne(a, long)
		if c.Attempts != attempt {
			k.Fatalf("attempts %d, expected %d", c.Attempts, attempt)
		}
		if string(c.Failures) != string(failures) {
			k.Fatalf("failures are %s, want %s", c.Failures, failures)
		}
	}
	if fs := driver.ParseFailures(c.Failures); len(fs) != 10 || fs[9].Attempt != 12 {
		k.Errorf("%d failures: expected the last ten", len(fs))
	}
}

func releaseRestores[Tx any](k *kit[Tx]) {
	k.write(events(lane, 3)...)
	a := driver.NewOwner("a")
	before := k.claim(a, lane)
	failures := driver.AppendFailure(nil, driver.Failure{Attempt: 4, Error: "no"})
	k.mustSettle(a, driver.Outcome{Held: before[0].Held, Kind: driver.Retry, Attempts: 4, Error: "no", Failures: failures})
	retried := k.claimOne(a, long)
	// A suspect's attempt was counted before its run, and is taken back.
	lost, err := k.Store.Renew(k.ctx, a, long, []driver.Renewal{{Held: retried.Held, Attempts: 5}})
	k.must(err)
	k.sameHeld("lost", lost, nil)
	k.mustSettle(a,
		driver.Outcome{Held: retried.Held, Kind: driver.Release, Attempts: 4},
		driver.Outcome{Held: before[1].Held, Kind: driver.Release},
		driver.Outcome{Held: before[2].Held, Kind: driver.Release})
	after := k.claim(driver.NewOwner("b"), lane)
	if len(after) != 3 {
		k.Fatalf("claimed %d rows, expected all 3 to be free", len(after))
	}
	for _, c := range after {
		was, attempts := before[1], 0
		switch c.EventID {
		case retried.EventID:
			was, attempts = retried, 4
		case before[2].EventID:
			was = before[2]
		}
		if !samePosition(c.Position, was.Position) || c.ClaimNo != was.ClaimNo+2 || c.Attempts != attempts || c.Recovered != 0 {
			k.Errorf("%+v at %+v with %d attempts, recovered %d; was %+v at %+v with %d", c.Held, c.Position, c.Attempts, c.Recovered, was.Held, was.Position, attempts)
		}
		if string(c.Failures) != string(was.Failures) {
			k.Errorf("failures %s became %s", was.Failures, c.Failures)
		}
	}
}

func releaseNotes[Tx any](k *kit[Tx]) {
	k.write(events(lane, 2)...)
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	failed := driver.AppendFailure(nil, driver.Failure{Attempt: 1, Error: "no"})
	k.mustSettle(a,
		driver.Outcome{Held: cs[0].Held, Kind: driver.Retry, Attempts: 1, Error: "no", Failures: failed},
		driver.Outcome{Held: cs[1].Held, Kind: driver.Release})
	lost := driver.Failure{Class: driver.ClassUnavailable, Error: "no answer", Maybe: true}
	want := map[string]string{}
	attempts := map[string]int{}
	for _, c := range k.claim(a, lane) {
		noted := driver.AppendFailure(c.Failures, lost)
		want[c.EventID], attempts[c.EventID] = string(noted), c.Attempts
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Release, Attempts: c.Attempts, Failures: noted})
	}
	// A release without a history keeps the stored one.
	for _, c := range k.claim(a, lane) {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Release, Attempts: c.Attempts})
	}
	again := k.claim(a, lane)
	if len(again) != 2 {
		k.Fatalf("claimed %d rows, expected both to be free", len(again))
	}
	for _, c := range again {
		if string(c.Failures) != want[c.EventID] || c.Attempts != attempts[c.EventID] {
			k.Errorf("%d attempts and failures %s, expected %d and %s", c.Attempts, c.Failures, attempts[c.EventID], want[c.EventID])
		}
	}
}

func delaysAreKept[Tx any](k *kit[Tx]) {
	const delay = 50 * time.Millisecond
	a := driver.NewOwner("a")
	for _, kind := range []driver.OutcomeKind{driver.Retry, driver.Release} {
		k.write(events(lane, 2)...)
		cs := k.claim(a, lane)
		k.mustSettle(a,
			driver.Outcome{Held: cs[0].Held, Kind: kind, Delay: long},
			driver.Outcome{Held: cs[1].Held, Kind: kind, Delay: delay})
		c := k.claimSoon(a, long, 1)[0]
		if c.EventID != cs[1].EventID {
			k.Fatalf("claimed %s, which is kept back for an hour by %s", c.EventID, kind)
		}
		if c.Position.AvailableAt.Sub(cs[1].CreatedAt) < delay-k.ClockResolution {
			k.Errorf("%s was due at %s, created at %s: the delay of %s was not added", kind, c.Position.AvailableAt, cs[1].CreatedAt, delay)
		}
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Done})
	}
}

func settlesMany[Tx any](k *kit[Tx]) {
	const n = 1200
	k.write(events(lane, n)...)
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	if len(cs) != n {
		k.Fatalf("claimed %d of %d", len(cs), n)
	}
	if lost := k.renew(a, long, heldOf(cs)...); len(lost) > 0 {
		k.Fatalf("%d of %d lost", len(lost), n)
	}
	var outcomes []driver.Outcome
	for i, c := range cs {
		o := outcomesOf(c.Held)[i%4]
		o.Attempts = i
		outcomes = append(outcomes, o)
	}
	k.mustSettle(a, outcomes...)
	attempts := map[string]int{}
	var dead, free []string
	for i, c := range cs {
		attempts[c.EventID] = i
		switch outcomes[i].Kind {
		case driver.Dead:
			dead = append(dead, c.EventID)
		case driver.Retry, driver.Release:
			free = append(free, c.EventID)
		}
	}
	k.dead(dead...)
	k.sweepAll(n / 4) // those that are done
	again := k.claim(a, lane)
	k.sameIDs("free", idsOf(again), free)
	for _, c := range again {
		if c.Attempts != attempts[c.EventID] {
			k.Fatalf("event %s has %d attempts, settled were %d", c.EventID, c.Attempts, attempts[c.EventID])
		}
	}
}

// errorTexts are as long as an error may be, or odd.
func errorTexts() []string {
	return []string{
		strings.Repeat("🙂", driver.MaxErrorLength),
		strings.Repeat("é", driver.MaxErrorLength),
		driver.CleanText("a\x00b\xffc 'quoted' \"twice\" \\ \r\n\t", driver.MaxErrorLength),
		"",
	}
}

// dieOf fails an event once, and then for good.
func (k *kit[Tx]) dieOf(text string) (id string) {
	k.Helper()
	a := driver.NewOwner("a")
	id = k.write(event(lane))[0]
	k.mustSettle(a, driver.Outcome{Held: k.claimOne(a, long).Held, Kind: driver.Retry, Attempts: 1, Error: text})
	k.mustSettle(a, driver.Outcome{Held: k.claimOne(a, long).Held, Kind: driver.Dead, Attempts: 2, Error: text})
	return id
}

// dieTogether is dieOf for events that are settled together, and returns the text of
// each.
func (k *kit[Tx]) dieTogether(texts ...string) (ofID map[string]string) {
	k.Helper()
	a := driver.NewOwner("a")
	ofID = map[string]string{}
	for i, id := range k.write(events(lane, len(texts))...) {
		ofID[id] = texts[i]
	}
	for attempt, kind := range []driver.OutcomeKind{driver.Retry, driver.Dead} {
		var outcomes []driver.Outcome
		for _, c := range k.claimSoon(a, long, len(texts)) {
			outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: kind, Attempts: attempt + 1, Error: ofID[c.EventID]})
		}
		k.mustSettle(a, outcomes...)
	}
	return ofID
}

// together are texts that a server may take for shorter ones where they stand in one
// statement.
func together() [][]string {
	return [][]string{{"", "no", "é🙂'"}, {"no", "é🙂'", ""}, {"é🙂'", "no"}, errorTexts()}
}

func errorTextSettles[Tx any](k *kit[Tx]) {
	for _, text := range errorTexts() {
		k.dead(k.dieOf(text))
	}
	for _, texts := range together() {
		for id := range k.dieTogether(texts...) {
			k.dead(id)
		}
	}
}

func emptyCalls[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	k.sameHeld("stale", k.settle(a), nil)
	k.sameHeld("lost", k.renew(a, long), nil)
	taken, err := k.Store.Take(k.ctx, a, long, nil)
	k.must(err)
	k.sameHeld("taken", taken, nil)
	there, err := k.Store.Confirm(k.ctx, nil)
	k.must(err)
	k.sameHeld("there", there, nil)
	ids, err := k.w.WriteAll(k.ctx, *new(Tx), nil...)
	k.must(err)
	k.sameIDs("written", ids, nil)
}
