package inboxtest

import (
	"flag"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/complaints"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// The random law is meant to fail here, every time: no files, no search for
	// the shortest way to fail, and always the same dice.
	for name, value := range map[string]string{
		"rapid.nofailfile": "true", "rapid.shrinktime": "0s", "rapid.seed": "1",
	} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// hurry gives up early on what a defect makes impossible. What a healthy ledger
// does may take as long as a busy machine needs.
func hurry(t *testing.T) {
	whole, all := patience, tries
	patience, tries = time.Second, 1
	t.Cleanup(func() { patience, tries = whole, all })
}

func laws() []Law[*memstore.Tx] {
	return append(Laws[*memstore.Tx](), randomLaw[*memstore.Tx](openBroken(nil)))
}

func (l Law[Tx]) complaints(t testing.TB, open Open[Tx]) []string {
	return complaints.Of(t, func(t testing.TB) { l.Check(t, open(t).withDefaults()) })
}

func TestEveryLawHasANameAndAReason(t *testing.T) {
	names := map[string]bool{}
	for _, law := range laws() {
		if law.Name == "" || law.Why == "" || law.Check == nil || names[law.Name] {
			t.Errorf("law %q: the name must be its own, and it must have a reason and a check", law.Name)
		}
		names[law.Name] = true
	}
	for _, law := range CacheLaws() {
		if law.Name == "" || law.Why == "" || law.Check == nil || names[law.Name] {
			t.Errorf("law %q: the name must be its own, and it must have a reason and a check", law.Name)
		}
		names[law.Name] = true
	}
}

func TestAHealthyLedgerBreaksNoLaw(t *testing.T) {
	open := openBroken(nil)
	for _, law := range laws() {
		if law.Applies != nil && !law.Applies(open(t).withDefaults()) {
			continue
		}
		if v := law.complaints(t, open); len(v) > 0 {
			t.Errorf("%s: %s", law.Name, strings.Join(v, "; "))
		}
	}
}

// Each defect is one that a driver could have, and the law that is about it
// must complain.
func TestTheSuiteFindsDefects(t *testing.T) {
	hurry(t)
	byName := map[string]Law[*memstore.Tx]{}
	for _, law := range laws() {
		byName[law.Name] = law
	}
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			law, ok := byName[d.law]
			if !ok {
				t.Fatalf("there is no law %q", d.law)
			}
			v := law.complaints(t, openBroken(d.make))
			if len(v) == 0 {
				t.Fatalf("%q did not notice", d.law)
			}
			t.Logf("%s: %s", d.law, v[0])
		})
	}
}

func TestTheRandomLawFindsDefects(t *testing.T) {
	law := randomLaw[*memstore.Tx](openBroken(nil))
	for _, d := range defects() {
		if !d.random {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			if v := law.complaints(t, openBroken(d.make)); len(v) == 0 {
				t.Fatal("the model and the defective ledger agreed")
			}
		})
	}
}
