package storetest

import (
	"slices"
	"testing"
)

// Law is one duty of a store.
type Law[Tx any] struct {
	// Name is the duty, as a sentence.
	Name string
	// Why says what breaks for users where the law is broken.
	Why string
	// Applies is false for subjects that cannot be tested for it. Nil: it
	// applies to all.
	Applies func(s Subject[Tx]) bool
	// Check tests a fresh store.
	Check func(t testing.TB, s Subject[Tx])
}

// Run tests a store against every law and, at random, against the oracle: a
// store that is known to be right, such as memstore.
func Run[Tx, OracleTx any](t *testing.T, open Open[Tx], oracle Open[OracleTx]) {
	t.Helper()
	laws := append(Laws[Tx](), randomLaw[Tx](oracle))
	probe := open(t).withDefaults()
	for _, law := range laws {
		if law.Applies != nil && !law.Applies(probe) {
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

// Laws are all laws but the random one.
func Laws[Tx any]() []Law[Tx] {
	return slices.Concat(
		claimLaws[Tx](),
		orderLaws[Tx](),
		leaseLaws[Tx](),
		fenceLaws[Tx](),
		repeatLaws[Tx](),
		settleLaws[Tx](),
		headStartLaws[Tx](),
		writeLaws[Tx](),
		trackLaws[Tx](),
		savepointLaws[Tx](),
		exactLaws[Tx](),
		foreignLaws[Tx](),
		clockLaws[Tx](),
		deadLetterLaws[Tx](),
		listLaws[Tx](),
		sweepLaws[Tx](),
		statsLaws[Tx](),
		controlLaws[Tx](),
		faultLaws[Tx](),
		concurrencyLaws[Tx](),
		lockLaws[Tx](),
		crowdLaws[Tx](),
	)
}

// check makes a law's test of a function on a kit.
func check[Tx any](f func(k *kit[Tx])) func(testing.TB, Subject[Tx]) {
	return func(t testing.TB, s Subject[Tx]) {
		t.Helper()
		f(newKit(t, s))
	}
}
