package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func letterLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a dead event becomes a dead letter with its full history",
			Why:   "an operator decides by attempts, reason and history; an event in neither table is lost",
			Check: check(deadMoves[Tx]),
		},
		{
			Name:  "any error text of 4000 characters is kept",
			Why:   "a limit in bytes would cut inside a character, or fail the settle and so repeat the delivery",
			Check: check(errorTextFits[Tx]),
		},
		{
			Name:  "a row that dies under its head start leaves a letter numbered 0",
			Why:   "a replay continues from that number, and the row never had another",
			Check: check(hotLetter[Tx]),
		},
		{
			Name:  "an id that died twice has two letters; calls use the later one",
			Why:   "an event that nobody looked at must not be overwritten by another of the same id",
			Check: check(diedTwice[Tx]),
		},
		{
			Name:  "a key names one letter, and an open one only while it is open",
			Why:   "what was chosen by its error must not change another letter of the id, nor what somebody else dealt with",
			Check: check(keyedLetters[Tx]),
		},
		{
			Name:  "a resolved letter is hidden, and deleted only past its age",
			Why:   "only an operator's decision may delete a letter",
			Check: check(resolvedLetters[Tx]),
		},
		{
			Name:  "a deleted letter is gone, and its id with it",
			Why:   "an operator decided so",
			Check: check(deletedLetters[Tx]),
		},
		{
			Name:  "an edited letter goes back under its id, and keeps the original",
			Why:   "whoever mends a payload must be able to see afterwards what it was",
			Check: check(editedLetters[Tx]),
		},
		{
			Name:  "an event that dies again after an edit still has its originals",
			Why:   "whoever edits it once more must see what it said at first",
			Check: check(originalsAreKept[Tx]),
		},
		{
			Name:  "a note stays on a letter until another takes its place",
			Why:   "whoever is on call next must see what is known",
			Check: check(notedLetters[Tx]),
		},
		{
			Name:  "bulk calls without ids return no error",
			Why:   "an operator's selection may be empty",
			Check: check(bulkOfNothing[Tx]),
		},
	}
}

// letters is the power that the laws of this file are about.
func (k *kit[Tx]) letters() driver.DeadLetterStore { return k.Store.(driver.DeadLetterStore) }

// letter is the dead letter of that id, which must exist.
func (k *kit[Tx]) letter(id string) driver.DeadLetter {
	k.Helper()
	l, found, err := k.letters().GetDead(k.ctx, id)
	k.must(err)
	if !found {
		k.Fatalf("event %s is not among the dead letters", id)
	}
	return l
}

func deadMoves[Tx any](k *kit[Tx]) {
	e := event(lane)
	e.AggregateType, e.AggregateID, e.TenantID, e.Headers = "Order", "4711", "t", map[string]string{"a": "b"}
	e.CorrelationID, e.TraceID, e.OccurredAt = "c", "tr", time.Date(2001, 2, 3, 4, 5, 6, 7008000, time.UTC)
	e.ID = k.write(e)[0]
	a := driver.NewOwner("a")
	k.claimOne(a, brief)
	c := k.claimSoon(a, long, 1)[0]
	failure := driver.Failure{At: e.OccurredAt, Took: time.Second, Owner: a, Attempt: 3, Error: "no"}
	k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 3, Error: "no", Failures: driver.AppendFailure(nil, failure)})
	l := k.letter(e.ID)
	if d := difference(l.Event, e, k.ClockResolution); d != "" {
		k.Errorf("the letter's event differs: %s", d)
	}
	if l.Held != c.Held {
		k.Errorf("the letter carries %+v, expected the last claim %+v", l.Held, c.Held)
	}
	if l.Attempts != 3 || l.Error != "no" || len(l.Failures) != 1 || !sameFailure(l.Failures[0], failure) || l.Problem != nil {
		k.Errorf("the letter has attempts %d, error %q, failures %+v, problem %v", l.Attempts, l.Error, l.Failures, l.Problem)
	}
	if !l.CreatedAt.Equal(c.CreatedAt) || l.DiedAt.Before(c.CreatedAt) || !l.ResolvedAt.IsZero() {
		k.Errorf("created %s, died %s, resolved %s; the row was created %s", l.CreatedAt, l.DiedAt, l.ResolvedAt, c.CreatedAt)
	}
	k.claimNothing("it is dead", lane)
}

func errorTextFits[Tx any](k *kit[Tx]) {
	for _, text := range errorTexts() {
		if l := k.letter(k.dieOf(text)); l.Error != text {
			k.Errorf("the letter says %s, want %s", short([]byte(l.Error)), short([]byte(text)))
		}
	}
	for _, texts := range together() {
		for id, text := range k.dieTogether(texts...) {
			if l := k.letter(id); l.Error != text {
				k.Errorf("the letter of one of many says %s, want %s", short([]byte(l.Error)), short([]byte(text)))
			}
		}
	}
}

func hotLetter[Tx any](k *kit[Tx]) {
	w := k.writeHot(long, event(lane))[0]
	k.mustSettle(driver.NewOwner("a"), driver.Outcome{Held: hotHeld(w), Kind: driver.Dead, Attempts: 7, Error: "no"})
	if l := k.letter(w.Event.ID); l.ClaimNo != 0 || l.Attempts != 7 {
		k.Errorf("the letter has number %d and %d attempts, expected 0 and 7", l.ClaimNo, l.Attempts)
	}
}

func diedTwice[Tx any](k *kit[Tx]) {
	first, second := named("again"), named("again")
	first.JSON, second.JSON = []byte(`"first"`), []byte(`"second"`)
	k.kill("first", first)
	k.kill("second", second)
	ls, _, err := k.letters().ListDead(k.ctx, driver.DeadFilter{}, nil, all)
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

func keyedLetters[Tx any](k *kit[Tx]) {
	first, second := named("again"), named("again")
	first.JSON, second.JSON = []byte(`"first"`), []byte(`"second"`)
	k.kill("first", first)
	k.kill("second", second)
	other := k.kill("other", event(lane))[0]
	keys := map[string]driver.DeadKey{}
	ls, _, err := k.letters().ListDead(k.ctx, driver.DeadFilter{}, nil, all)
	k.must(err)
	for _, l := range ls {
		keys[l.Error] = l.Key()
	}
	expect := func(what string, call func(context.Context, []driver.DeadKey) ([]driver.DeadResult, error), want driver.DeadStatus, key driver.DeadKey) {
		k.Helper()
		results, err := call(k.ctx, []driver.DeadKey{key})
		k.must(err)
		if len(results) != 1 || results[0] != (driver.DeadResult{ID: key.EventID, Status: want}) {
			k.Errorf("%s: %v, expected %s", what, results, want)
		}
	}
	expect("resolve the earlier", k.letters().ResolveDead, driver.DeadApplied, keys["first"])
	if n, err := k.letters().CountDead(k.ctx, driver.DeadFilter{}); err != nil || n.N != 2 {
		k.Errorf("%d letters are open, error %v; expected the other two", n.N, err)
	}
	expect("resolve it again", k.letters().ResolveDead, driver.DeadNotFound, keys["first"])
	expect("replay it", k.letters().ReplayDead, driver.DeadNotFound, keys["first"])
	expect("delete it", k.letters().DeleteDead, driver.DeadNotFound, keys["first"])
	expect("delete another seq", k.letters().DeleteDead, driver.DeadNotFound, driver.DeadKey{EventID: other, Seq: keys["first"].Seq})
	expect("replay the open one of the id", k.letters().ReplayDead, driver.DeadApplied, driver.DeadKey{EventID: "again", Open: true})
	if c := k.claimOne(driver.NewOwner("a"), long); string(c.Event.JSON) != `"second"` {
		k.Errorf("replayed %s, expected the open one", c.Event.JSON)
	}
	resolved := keys["first"]
	resolved.Open = false
	expect("replay beside the event", k.letters().ReplayDead, driver.DeadConflict, resolved)
	expect("delete the resolved one", k.letters().DeleteDead, driver.DeadApplied, resolved)
	k.letter(other)
	k.kill("third", named("thrice"))
	k.kill("fourth", named("thrice"))
	ls, _, err = k.letters().ListDead(k.ctx, driver.DeadFilter{}, nil, all)
	k.must(err)
	var both []driver.DeadKey
	for _, l := range slices.Backward(ls) {
		if l.Event.ID == "thrice" {
			both = append(both, l.Key())
		}
	}
	slices.SortFunc(both, func(a, b driver.DeadKey) int { return cmp.Compare(a.Seq, b.Seq) })
	results, err := k.letters().ReplayDead(k.ctx, both)
	k.must(err)
	if len(results) != 2 || results[0].Status != driver.DeadConflict || results[1].Status != driver.DeadApplied {
		k.Errorf("%v, expected a conflict of the earlier letter with the later one, which goes back", results)
	}
}

func resolvedLetters[Tx any](k *kit[Tx]) {
	ids := k.kill("no", events(lane, 5)...)
	results, err := k.letters().ResolveDead(k.ctx, driver.DeadIDs(append(slices.Clone(ids[:3]), "unknown")...))
	k.must(err)
	if s := fmt.Sprint(results); len(results) != 4 || strings.Count(s, "applied") != 3 || strings.Count(s, "not found") != 1 {
		k.Errorf("results %v: expected three applied and one not found", results)
	}
	if l := k.letter(ids[0]); l.ResolvedAt.Before(l.DiedAt) {
		k.Errorf("died %s, resolved %s", l.DiedAt, l.ResolvedAt)
	}
	left, err := k.letters().CountDead(k.ctx, driver.DeadFilter{})
	k.must(err)
	if left.N != 2 {
		k.Errorf("%d letters, expected the two that nobody resolved", left.N)
	}
	n, err := k.letters().SweepDead(k.ctx, long, all)
	k.must(err)
	if n != 0 {
		k.Errorf("swept %d, but none is an hour old", n)
	}
	swept := 0
	k.eventually("the resolved letters are swept", func() bool {
		n, err := k.letters().SweepDead(k.ctx, 0, 2)
		k.must(err)
		if n > 2 {
			k.Fatalf("swept %d, asked for at most 2", n)
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
		results, err := k.letters().DeleteDead(k.ctx, driver.DeadIDs(ids[:2]...))
		k.must(err)
		if len(results) != 2 {
			k.Errorf("results %v, expected one for each id", results)
		}
	}
	results, err := k.letters().ReplayDead(k.ctx, driver.DeadIDs(ids...))
	k.must(err)
	if s := fmt.Sprint(results); strings.Count(s, "applied") != 1 || strings.Count(s, "not found") != 2 {
		k.Errorf("results %v: expected one applied, two not found", results)
	}
	k.claimOne(driver.NewOwner("a"), long)
	e := event(lane)
	e.ID = ids[0]
	k.write(e)
}

// originals checks the letters of the id of one that are before it, latest first.
func (k *kit[Tx]) originals(l driver.DeadLetter, want ...driver.DeadLetter) {
	k.Helper()
	for _, limit := range []int{1, all} {
		got, err := k.letters().EarlierDead(k.ctx, l.Event.ID, l.Seq, limit)
		k.must(err)
		w := want[:min(len(want), limit)]
		if !slices.EqualFunc(got, w, func(g, w driver.DeadLetter) bool {
			return g.Seq == w.Seq && difference(g.Event, w.Event, k.ClockResolution) == "" && g.Error == w.Error && !g.ResolvedAt.IsZero()
		}) {
			k.Errorf("before %+v are %+v, expected %+v", l, got, w)
		}
	}
}

// originalsAreKept edits an event that dies again and again.
func originalsAreKept[Tx any](k *kit[Tx]) {
	other := k.letter(k.kill("other", named("other"))[0])
	k.kill("first", named("odd"))
	a := driver.NewOwner("a")
	var was []driver.DeadLetter // latest first
	for _, text := range []string{`"second 語"`, `"third"`} {
		l := k.letter("odd")
		k.originals(l, was...)
		_, err := k.letters().EditDead(k.ctx, l.Key(), driver.DeadEdit{JSON: []byte(text), Headers: map[string]string{"h": text}})
		k.must(err)
		was = append([]driver.DeadLetter{l}, was...)
		c := k.claimOne(a, long)
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 1, Error: "no to " + text})
	}
	last := k.letter("odd")
	if string(last.Event.JSON) != `"third"` || !last.ResolvedAt.IsZero() {
		k.Errorf("the latest is %+v, expected the last edit", last)
	}
	k.originals(last, was...)
	k.originals(other)
	k.originals(driver.DeadLetter{Event: named("unknown"), Held: last.Held})
}

func editedLetters[Tx any](k *kit[Tx]) {
	e := event(lane)
	e.AggregateType, e.AggregateID, e.TenantID, e.CorrelationID, e.Headers = "Order", "4711", "t", "c", map[string]string{"a": "b"}
	e.ID = k.kill("no", e)[0]
	before := k.letter(e.ID)
	edit := func(key driver.DeadKey, d driver.DeadEdit, want driver.DeadStatus) {
		k.Helper()
		result, err := k.letters().EditDead(k.acting("ann", "typo"), key, d)
		k.must(err)
		if result != (driver.DeadResult{ID: key.EventID, Status: want}) {
			k.Errorf("edited %+v: %+v, expected %s", key, result, want)
		}
	}
	edit(driver.DeadKey{EventID: "unknown", Seq: 1}, driver.DeadEdit{Bytes: []byte{}}, driver.DeadNotFound)
	edit(driver.DeadKey{EventID: e.ID, Seq: before.Seq + 1000}, driver.DeadEdit{Bytes: []byte{}}, driver.DeadNotFound)
	edit(before.Key(), driver.DeadEdit{JSON: []byte(`{"mended": "語"}`), Headers: map[string]string{"c": "d"}}, driver.DeadApplied)
	edit(before.Key(), driver.DeadEdit{JSON: []byte(`2`)}, driver.DeadNotFound) // it is resolved
	c := k.claimOne(driver.NewOwner("a"), long)
	want := e
	want.JSON, want.Headers = []byte(`{"mended": "語"}`), map[string]string{"c": "d"}
	if d := difference(c.Event, want, k.ClockResolution); d != "" {
		k.Errorf("the edited event differs: %s", d)
	}
	if c.Attempts != 0 || c.ClaimNo <= before.ClaimNo || len(c.Failures) > 0 || c.Problem != nil {
		k.Errorf("claimed as number %d after %d, attempts %d, failures %s, problem %v", c.ClaimNo, before.ClaimNo, c.Attempts, c.Failures, c.Problem)
	}
	after := k.letter(e.ID)
	if d := difference(after.Event, before.Event, k.ClockResolution); d != "" || after.ResolvedAt.IsZero() {
		k.Errorf("the letter was resolved %s; its event differs: %s", after.ResolvedAt, d)
	}
	k.originals(after)
	taken := k.kill("no", named("taken"))[0]
	k.write(named("taken"))
	there := k.letter(taken)
	edit(there.Key(), driver.DeadEdit{Bytes: []byte("x")}, driver.DeadConflict)
	if l := k.letter(taken); !l.ResolvedAt.IsZero() {
		k.Error("a letter that could not go back is resolved")
	}
	if log, ok := k.Store.(driver.AuditStore); ok {
		es, _, err := log.ListAudit(k.ctx, driver.AuditFilter{}, 0, all)
		k.must(err)
		if len(es) != 1 || es[0].By != "ann" || es[0].Action != driver.AuditEdit || es[0].Subjects[0] != e.ID {
			k.Errorf("the log says %+v, expected one edit", es)
		}
	}
}

func notedLetters[Tx any](k *kit[Tx]) {
	ids := k.kill("refused", events(lane, 3)...)
	note := func(text string, want ...string) {
		k.Helper()
		results, err := k.letters().NoteDead(k.acting("ann", text), driver.DeadIDs(ids[0], "unknown", ids[1]), text)
		k.must(err)
		if got := fmt.Sprint(results); strings.Count(got, "applied") != 2 || strings.Count(got, "not found") != 1 {
			k.Errorf("results %v: expected two applied", results)
		}
		for i, id := range ids {
			l := k.letter(id)
			if l.Note != want[i] || !l.ResolvedAt.IsZero() || (i < 2) != (l.NotedBy == "ann" && !l.NotedAt.IsZero()) {
				k.Errorf("letter %d has the note %q of %s at %s, expected %q", i, l.Note, l.NotedBy, l.NotedAt, want[i])
			}
		}
		k.audited(driver.Act{By: "ann", Note: text}, driver.AuditNote, ids[:2])
	}
	const odd = "it's \"known\" \\ 語\n100%"
	note(odd, odd, odd, "")
	note("mended", "mended", "mended", "")
	note("", "", "", "")
	ls, _, err := k.letters().ListDead(k.ctx, driver.DeadFilter{}, nil, 10)
	k.must(err)
	for _, l := range ls {
		if want := l.Event.ID != ids[2]; want != (l.NotedBy == "ann") {
			k.Errorf("%+v in the list", l)
		}
	}
}

func bulkOfNothing[Tx any](k *kit[Tx]) {
	for name, call := range map[string]func(context.Context, []driver.DeadKey) ([]driver.DeadResult, error){
		"replay": k.letters().ReplayDead, "resolve": k.letters().ResolveDead, "delete": k.letters().DeleteDead,
	} {
		results, err := call(k.ctx, nil)
		k.must(err)
		if len(results) != 0 {
			k.Errorf("%s of no ids: results %v", name, results)
		}
	}
}
