package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

var powers = []Power{DeadLetters, Groups, Alerts, Jobs, Replays, Erase, Consumers, Events, Stats, Control, Audit, Instances, Expiring, Fair, Notify, NotifyIn, Waker}

func TestAStoreIsAskedForWhatItCanDo(t *testing.T) {
	full, minimal := openBroken(nil)(t), openMinimal(nil)(t)
	for _, p := range powers {
		if !has(full, p) || has(minimal, p) {
			t.Errorf("%s: found %t in a store that has it, %t in one that has not", p, has(full, p), has(minimal, p))
		}
	}
}

func TestEveryPowerHasLaws(t *testing.T) {
	n := map[Power]int{}
	for _, law := range laws() {
		n[law.Power]++
	}
	for _, p := range powers {
		if n[p] == 0 {
			t.Errorf("%s has no law", p)
		}
	}
	if n[""] < 100 {
		t.Errorf("%d laws of every store: expected most of them", n[""])
	}
}

func TestTheLogSaysWhatWasNotTested(t *testing.T) {
	minimal := openMinimal(nil)(t).withDefaults()
	minimal.Savepoint = nil
	text := inventory(laws(), minimal)
	for _, want := range []string{
		"powers found: none\n", "powers not found: driver.DeadLetterStore, ", "driver.Waker",
		"\n\tstats report how long the oldest due event waits", // lacks the power
		"\n\tnested savepoints undo what they enclose",         // lacks a function
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the log does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "a claim takes no more rows") {
		t.Errorf("the log says that a law of every store was left out:\n%s", text)
	}
	full := openBroken(nil)(t).withDefaults()
	full.Exec, full.Down, full.NoSchema = nil, nil, nil
	if text := inventory(laws(), full); !strings.Contains(text, "powers not found: none") {
		t.Errorf("the log of a store with every power says\n%s", text)
	}
}

func TestCallsOfAPowerAreFoundToOutliveTheirContext(t *testing.T) {
	for _, law := range laws() {
		if law.Name != "a call whose context has ended fails and leaves the store usable" {
			continue
		}
		if len(violations(t, law, openBroken(func(b *broken) {
			b.stats = func(context.Context) (driver.Stats, error) { return b.Store.Stats(context.Background()) }
		}))) == 0 {
			t.Error("nobody noticed")
		}
	}
}

func TestAStoreOfTwoHalvesPassesTheSuite(t *testing.T) {
	Run(t, openMinimal(nil), func(testing.TB) Subject[*memstore.Tx] {
		s := memstore.New(memstore.Config{})
		return Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
	})
}
