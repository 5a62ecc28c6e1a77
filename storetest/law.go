package storetest

import (
	"slices"
	"testing"
)

// Law is one duty of a store.
type Law[Tx any] struct {
	// Name is the duty, as a sentence.
	Name string
	// Why says what breaks for users if the law is violated.
	Why string
	// Power is what the law is about; "" for the laws of every store.
	Power Power
	// Applies is false for subjects that lack the power or a function that the
	// test needs. Nil: it applies to all.
	Applies func(s Subject[Tx]) bool
	// Check tests a fresh store.
	Check func(t testing.TB, s Subject[Tx])
}

// Run tests a store against the laws of every store, against those of the
// powers that it has and, at random, against the oracle: a store that is known
// to be correct, such as memstore. It logs which powers were found and which
// laws were left out.
func Run[Tx, OracleTx any](t *testing.T, open Open[Tx], oracle Open[OracleTx]) {
	t.Helper()
	laws := append(Laws[Tx](), randomLaw[Tx](oracle))
	probe := open(t).withDefaults()
	t.Log(inventory(laws, probe))
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

// applies reports whether the law can be tested on the subject.
func (l Law[Tx]) applies(s Subject[Tx]) bool {
	return l.Applies == nil || l.Applies(s)
}

// Laws returns all laws except the random one: first those of every store, then
// those of each power.
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
		lanesLaws[Tx](),
		sweepLaws[Tx](),
		faultLaws[Tx](),
		silenceLaws[Tx](),
		refusedLaws[Tx](),
		concurrencyLaws[Tx](),
		lockLaws[Tx](),
		lockSweepLaws[Tx](),
		inTimeLaws[Tx](),
		tableLockLaws[Tx](),
		crowdLaws[Tx](),

		of(DeadLetters, letterLaws[Tx](), exactLetterLaws[Tx](), staleLetterLaws[Tx](), replayLaws[Tx](), listLaws[Tx](), foreignLetterLaws[Tx](), foreignMarkedLaws[Tx](), []Law[Tx]{keptLetters[Tx]().law(DeadLetters)}),
		of(Groups, groupLaws[Tx](), []Law[Tx]{keptGroups[Tx]().law(Groups)}),
		of(Events, eventLaws[Tx]()),
		of(Alerts, alertLaws[Tx](), []Law[Tx]{keptAlerts[Tx]().law(Alerts)}),
		of(Jobs, jobLaws[Tx](), []Law[Tx]{keptJobs[Tx]().law(Jobs)}),
		of(Replays, replayDoneLaws[Tx]()),
		of(Erase, eraseLaws[Tx]()),
		of(Consumers, consumerLaws[Tx]()),
		of(Stats, statsLaws[Tx]()),
		of(Control, controlLaws[Tx]()),
		of(Audit, auditLaws[Tx](), lockAuditLaws[Tx]()),
		of(Instances, instanceLaws[Tx]()),
		of(Expiring, expiringLaws[Tx]()),
		of(Fair, fairLaws[Tx]()),
		of(Notify, notifyLaws[Tx]()),
		of(NotifyIn, notifyInLaws[Tx]()),
		of(Waker, wakerLaws[Tx]()),
	)
}

// of returns the laws of one power.
func of[Tx any](p Power, laws ...[]Law[Tx]) []Law[Tx] {
	all := slices.Concat(laws...)
	for i, l := range all {
		all[i].Power = p
		all[i].Applies = func(s Subject[Tx]) bool { return has(s, p) && l.applies(s) }
	}
	return all
}

// check makes a law's test from a function on a kit.
func check[Tx any](f func(k *kit[Tx])) func(testing.TB, Subject[Tx]) {
	return func(t testing.TB, s Subject[Tx]) {
		t.Helper()
		f(newKit(t, s))
	}
}
