package storetest

import (
	"github.com/sendoff-go/outbox/driver"
)

func staleLetterLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a stale outcome makes no letter, and changes none",
			Why:   "an operator would act on the letter of a live event, or read a wrong reason",
			Check: check(staleMakesNoLetter[Tx]),
		},
		{
			Name:  "a death that is reported twice makes one letter",
			Why:   "the answer to a settle can be lost, and a second letter would be delivered a second time",
			Check: check(oneLetter[Tx]),
		},
	}
}

// noLetters fails the test if there is a dead letter.
func (k *kit[Tx]) noLetters() {
	k.Helper()
	ls, _, err := k.letters().ListDead(k.ctx, driver.DeadFilter{}, nil, 10)
	k.must(err)
	if len(ls) > 0 {
		k.Fatalf("event %s is among the dead letters (%s)", ls[0].Event.ID, ls[0].Error)
	}
}

func staleMakesNoLetter[Tx any](k *kit[Tx]) {
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	dead := func(h driver.Held) driver.Outcome {
		return driver.Outcome{Held: h, Kind: driver.Dead, Attempts: 9, Error: "late"}
	}
	k.write(event(lane))
	late := k.claimOne(a, brief)
	current := k.claimSoon(b, long, 1)[0]
	k.mustBeStale(a, dead(late.Held)) // taken over
	for _, h := range variants(current.Held) {
		k.mustBeStale(b, dead(h))
	}
	k.mustBeStale(driver.NewOwner("b"), dead(current.Held)) // the same name in another process
	k.mustSettle(b, driver.Outcome{Held: current.Held, Kind: driver.Release})
	k.mustBeStale(b, dead(current.Held)) // freed
	hot := hotHeld(k.writeHot(brief, event("hot"))[0])
	k.eventually("the hot row can be claimed", func() bool { return len(k.claim(b, "hot")) == 1 })
	k.mustBeStale(a, dead(hot))
	k.noLetters()
}

func oneLetter[Tx any](k *kit[Tx]) {
	id := k.write(event(lane))[0]
	a := driver.NewOwner("a")
	o := driver.Outcome{
		Held: k.claimOne(a, long).Held, Kind: driver.Dead, Attempts: 1, Error: "the reason",
		Failures: driver.AppendFailure(nil, driver.Failure{Attempt: 1, Error: "the reason"}),
	}
	k.mustSettle(a, o)
	k.mustBeStale(a, o)
	for _, other := range outcomesOf(o.Held) {
		k.mustBeStale(a, other)
	}
	if l := k.letter(id); l.Error != "the reason" || l.Attempts != 1 || len(l.Failures) != 1 {
		k.Errorf("the letter says %q after %d attempts and failures %v, expected one of each", l.Error, l.Attempts, l.Failures)
	}
	n, err := k.letters().CountDead(k.ctx, driver.DeadFilter{})
	k.must(err)
	if n.N != 1 {
		k.Errorf("%d letters, expected one", n.N)
	}
}
