package sinktest

import (
	"slices"
	"testing"
)

// Law is one duty of a sink.
type Law struct {
	// Name is the duty, as a sentence.
	Name string
	// Why says what goes wrong for users when the law is broken.
	Why string
	// Power is the power that the law tests; "" for a law of every sink.
	Power Power
	// Applies reports whether a subject has the power and whatever else the law
	// needs. Nil: the law applies to all.
	Applies func(s Subject) bool
	// Check tests a fresh subject.
	Check func(t testing.TB, s Subject)
}

// Run tests a sink against the laws of every sink and those of its own powers.
// It logs which powers it found and which laws it left out.
func Run(t *testing.T, open Open) {
	t.Helper()
	probe := open(t).withDefaults(t)
	t.Log(inventory(Laws(), probe))
	for _, law := range Laws() {
		if !law.applies(probe) {
			continue
		}
		t.Run(law.Name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("why it matters: %s", law.Why)
				}
			})
			law.Check(t, open(t).withDefaults(t))
		})
	}
}

// applies reports whether the law can be tested on the subject.
func (l Law) applies(s Subject) bool {
	return l.Applies == nil || l.Applies(s)
}

// Laws returns all laws: first those of every sink, then those of each power.
func Laws() []Law {
	return slices.Concat(
		answerLaws(),
		exactLaws(),
		headerLaws(),
		orderLaws(),
		failureLaws(),
		secretLaws(),
		contextLaws(),
		outageLaws(),
		lossLaws(),
		certaintyLaws(),

		of(Check, checkLaws()),
		of(DestinationCheck, destinationCheckLaws()),
		of(Close, closeLaws()),
	)
}

// of makes the laws those of one power.
func of(p Power, laws []Law) []Law {
	for i, l := range laws {
		laws[i].Power = p
		laws[i].Applies = func(s Subject) bool { return has(s, p) && l.applies(s) }
	}
	return laws
}

// check turns a function on a kit into a law's Check.
func check(f func(k *kit)) func(testing.TB, Subject) {
	return func(t testing.TB, s Subject) {
		t.Helper()
		f(newKit(t, s))
	}
}
