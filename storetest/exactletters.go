package storetest

import (
	"maps"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func exactLetterLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "an event arrives exactly as a letter, and again after its replay",
			Why:   "operators decide by what the letter shows, and receivers must not notice that an event was a letter",
			Check: check(lettersAreExact[Tx]),
		},
		{
			Name:  "a letter takes every field at its maximum length in characters",
			Why:   "an event that cannot become a letter is tried forever",
			Check: check(letterFieldsTakeTheirMaximum[Tx]),
		},
		{
			Name:  "ids of letters are compared byte for byte",
			Why:   "a person who replays one event must not replay another",
			Check: check(letterIDsAreExact[Tx]),
		},
	}
}

func lettersAreExact[Tx any](k *kit[Tx]) {
	es := samples{}
	for _, more := range []samples{jsonSamples(), byteSamples(), headerSamples(), timeSamples()} {
		maps.Copy(es, more)
	}
	same := k.writeSamples(es)
	k.claimSamples(len(es), driver.Dead, func(outbox.Event, error) {})
	ls, _, err := k.letters().ListDead(k.ctx, driver.DeadFilter{}, nil, all)
	k.must(err)
	if len(ls) != len(es) {
		k.Fatalf("%d dead letters, expected %d", len(ls), len(es))
	}
	for _, l := range ls {
		same("as a dead letter", l.Event, l.Problem)
		k.replay(l.Event.ID)
	}
	k.claimSamples(len(es), driver.Done, func(e outbox.Event, problem error) { same("claimed after a replay", e, problem) })
}

func letterFieldsTakeTheirMaximum[Tx any](k *kit[Tx]) {
	for char, e := range longest() {
		e.ID = k.kill("no", e)[0]
		if d := difference(k.letter(e.ID).Event, e, k.ClockResolution); d != "" {
			k.Errorf("fields of %q: %s", char, d)
		}
	}
}

func letterIDsAreExact[Tx any](k *kit[Tx]) {
	ids := oddIDs()
	for _, id := range ids {
		k.kill(id, named(id))
	}
	for _, id := range ids {
		if l := k.letter(id); l.Event.ID != id || l.Error != id {
			k.Errorf("the letter of %q is that of %q (%q)", id, l.Event.ID, l.Error)
		}
	}
	for what, do := range map[string]func() ([]driver.DeadResult, error){
		"noting": func() ([]driver.DeadResult, error) {
			return k.letters().NoteDead(k.ctx, driver.DeadIDs(ids...), "seen")
		},
		"resolving": func() ([]driver.DeadResult, error) { return k.letters().ResolveDead(k.ctx, driver.DeadIDs(ids...)) },
	} {
		results, err := do()
		k.must(err)
		if slices.ContainsFunc(results, func(r driver.DeadResult) bool { return r.Status != driver.DeadApplied }) {
			k.Errorf("%s %q answered %v", what, ids, results)
		}
	}
	k.replay(ids...)
	a := driver.NewOwner("a")
	claimed := k.claim(a, lane)
	k.sameIDs("claimed after a replay", idsOf(claimed), ids)
	for _, c := range claimed {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 1, Error: "again"})
	}
	results, err := k.letters().DeleteDead(k.ctx, driver.DeadIDs(ids...))
	k.must(err)
	if slices.ContainsFunc(results, func(r driver.DeadResult) bool { return r.Status != driver.DeadApplied }) {
		k.Errorf("deleting %q answered %v", ids, results)
	}
	k.noLetters()
}
