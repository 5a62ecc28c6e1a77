package inboxtest

import (
	"slices"
	"strings"
	"testing"
)

// Law is one duty of a ledger.
type Law[Tx any] struct {
	// Name is the duty, as a sentence.
	Name string
	// Why says what breaks for users if the law is violated.
	Why string
	// Applies is false for subjects that cannot be tested for it. Nil: it
	// applies to all.
	Applies func(s Subject[Tx]) bool
	// Check tests a fresh ledger.
	Check func(t testing.TB, s Subject[Tx])
}

// Run tests a ledger against every law and, at random, against the oracle: a
// ledger that is known to be correct, such as memstore. It logs which laws were
// left out.
func Run[Tx, OracleTx any](t *testing.T, open Open[Tx], oracle Open[OracleTx]) {
	t.Helper()
	probe := open(t).withDefaults()
	laws := append(Laws[Tx](), randomLaw[Tx](oracle))
	if left := leftOut(laws, probe); len(left) > 0 {
		t.Logf("laws tested: %d of %d\nlaws left out, for want of a function of the subject:\n\t%s",
			len(laws)-len(left), len(laws), strings.Join(left, "\n\t"))
	}
	for _, law := range laws {
		if !law.applies(probe) {
			continue
		}
		t.Run(law.Name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("why it matters: %s", law.Why)
				}
			})
			law.Check(t, open(t).withDefaults())
		})
	}
}

func (l Law[Tx]) applies(s Subject[Tx]) bool { return l.Applies == nil || l.Applies(s) }

// leftOut are the names of the laws that the subject cannot be tested for.
func leftOut[Tx any](laws []Law[Tx], s Subject[Tx]) (names []string) {
	for _, l := range laws {
		if !l.applies(s) {
			names = append(names, l.Name)
		}
	}
	return names
}

// Laws returns all laws except the random one.
func Laws[Tx any]() []Law[Tx] {
	return slices.Concat(
		recordLaws[Tx](),
		waitLaws[Tx](),
		refuseLaws[Tx](),
		forgetLaws[Tx](),
		consumeLaws[Tx](),
		joinLaws[Tx](),
		crowdLaws[Tx](),
	)
}

// check makes a law's test from a function on a kit.
func check[Tx any](f func(k *kit[Tx])) func(testing.TB, Subject[Tx]) {
	return func(t testing.TB, s Subject[Tx]) {
		t.Helper()
		f(newKit(t, s))
	}
}
