package storetest

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/complaints"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) {
	flag.Parse()
	checks := "200"
	if testing.Short() {
		checks = "1000" // rapid does a fifth of what it is told then
	}
	// The random law is meant to fail here, every time: no files, no search for
	// the shortest way to fail, and always the same dice.
	for name, value := range map[string]string{
		"rapid.nofailfile": "true", "rapid.shrinktime": "0s", "rapid.seed": "1", "rapid.checks": checks,
	} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// hurry gives up early on what a defect makes impossible. A healthy store may
// take as long as a busy machine needs.
func hurry(t *testing.T) {
	whole, answer := patience, answerTime
	patience, answerTime = time.Second, 100*time.Millisecond
	t.Cleanup(func() { patience, answerTime = whole, answer })
}

func laws() []Law[*memstore.Tx] {
	return append(Laws[*memstore.Tx](), randomLaw[*memstore.Tx](openBroken(nil)))
}

func TestEveryLawHasANameAndAReason(t *testing.T) {
	names := map[string]bool{}
	for _, law := range laws() {
		if law.Name == "" || law.Why == "" || law.Check == nil || names[law.Name] {
			t.Errorf("law %q: the name must be its own, and it must have a reason and a check", law.Name)
		}
		names[law.Name] = true
	}
}

func TestAHealthyStoreBreaksNoLaw(t *testing.T) {
	for name, open := range healthy() {
		t.Run(name, func(t *testing.T) {
			for _, law := range laws() {
				if !law.applies(open(t).withDefaults()) {
					continue
				}
				if v := violations(t, law, open); len(v) > 0 {
					t.Errorf("%s: %s", law.Name, strings.Join(v, "; "))
				}
			}
		})
	}
}

func healthy() map[string]Open[*memstore.Tx] {
	return map[string]Open[*memstore.Tx]{"with every power": openBroken(nil), "with none": openMinimal(nil)}
}

// TestTheSuiteFindsDefects shows that the laws can fail: each defect is one
// that a driver could have, and the law that is about it must complain. The
// laws of every store must do so even if the store has only its two halves.
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
			v := violations(t, law, openBroken(d.make))
			if len(v) == 0 {
				t.Fatalf("%q did not notice", d.law)
			}
			t.Logf("%s: %s", d.law, v[0])
			if law.Power == "" && len(violations(t, law, openMinimal(d.make))) == 0 {
				t.Fatalf("%q did not notice in a store without powers", d.law)
			}
		})
	}
}

func TestTheRandomLawFindsDefects(t *testing.T) {
	law := randomLaw[*memstore.Tx](openBroken(nil))
	byName := map[string]Law[*memstore.Tx]{}
	for _, law := range laws() {
		byName[law.Name] = law
	}
	for _, d := range defects() {
		if !d.random {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			if v := violations(t, law, openBroken(d.make)); len(v) == 0 {
				t.Fatal("the model and the defective store agreed")
			}
			if byName[d.law].Power == "" && len(violations(t, law, openMinimal(d.make))) == 0 {
				t.Fatal("the model and the defective store without powers agreed")
			}
		})
	}
}

// violations runs a law on a subject and returns what the law complains about.
func violations[Tx any](t testing.TB, law Law[Tx], open Open[Tx]) []string {
	return complaints.Of(t, func(t testing.TB) { law.Check(t, open(t).withDefaults()) })
}
