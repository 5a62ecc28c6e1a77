package sinktest

import (
	"slices"
	"testing"
)

// Law is one duty of a sink.
type Law struct {
	// Name is the duty, as a sentence.
	Name string
	// Why says what breaks for users where the law is broken.
	Why string
	// Power is what the law is about; "" for the laws of every sink.
	Power Power
	// Applies is false for subjects that cannot be tested for it, for want of
	// the power or of something else. Nil: it applies to all.
	Applies func(s Subject) bool
	// Check tests a fresh subject.
	Check func(t testing.TB, s Subject)
}

// Run tests a sink against the laws of every sink and against those of the
// powers that it has. It logs which powers were found and which laws were left
// out.
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

// Laws are all laws: first those of every sink, then those of each power.
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

		of(Check, checkLaws()),
		of(DestinationCheck, destinationCheckLaws()),
		of(Close, closeLaws()),
	)
}

// of are the laws of one power.
func of(p Power, laws []Law) []Law {
	for i, l := range laws {
		laws[i].Power = p
		laws[i].Applies = func(s Subject) bool { return has(s, p) && l.applies(s) }
	}
	return laws
}

// check makes a law's test of a function on a kit.
func check(f func(k *kit)) func(testing.TB, Subject) {
	return func(t testing.TB, s Subject) {
		t.Helper()
		f(newKit(t, s))
	}
}
