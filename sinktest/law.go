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
	// Applies is false for subjects that cannot be tested for it. Nil: it
	// applies to all.
	Applies func(s Subject) bool
	// Check tests a fresh subject.
	Check func(t testing.TB, s Subject)
}

// Run tests a sink against every law.
func Run(t *testing.T, open Open) {
	t.Helper()
	probe := open(t).withDefaults(t)
	for _, law := range Laws() {
		if law.Applies != nil && !law.Applies(probe) {
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

// Laws are all laws.
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
		checkLaws(),
		closeLaws(),
	)
}

// check makes a law's test of a function on a kit.
func check(f func(k *kit)) func(testing.TB, Subject) {
	return func(t testing.TB, s Subject) {
		t.Helper()
		f(newKit(t, s))
	}
}
