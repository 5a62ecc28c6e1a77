package sinktest

import (
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/complaints"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
)

func TestMain(m *testing.M) {
	// The fake gives up after fakeTimeout.
	brief, quiet = fakeTimeout/2, fakeTimeout/10
	goleak.VerifyTestMain(m)
}

// hurry gives up early on what a defect makes impossible. A healthy sink may
// take as long as a busy machine needs.
func hurry(t *testing.T) {
	wholePatience, wholeGrace := patience, grace
	patience, grace = 2*time.Second, 500*time.Millisecond
	t.Cleanup(func() { patience, grace = wholePatience, wholeGrace })
}

func TestEveryLawHasANameAndAReason(t *testing.T) {
	names := map[string]bool{}
	for _, law := range Laws() {
		if law.Name == "" || law.Why == "" || law.Check == nil || names[law.Name] {
			t.Errorf("law %q needs a unique name, a reason and a check", law.Name)
		}
		names[law.Name] = true
	}
}

func TestAHealthySinkBreaksNoLaw(t *testing.T) {
	Run(t, openFake(nil))
}

func TestEveryLawAppliesToTheFake(t *testing.T) {
	s := openFake(nil)(t)
	for _, law := range Laws() {
		if !law.applies(s) {
			t.Errorf("%q does not, so nothing shows that it can fail", law.Name)
		}
	}
}

func TestASubjectWithoutPowersIsTestedForTheRest(t *testing.T) {
	Run(t, func(t testing.TB) Subject {
		full := openFake(nil)(t)
		return Subject{Sink: struct{ outbox.Sink }{full.Sink}, Destination: full.Destination, Receive: full.Receive}
	})
}

func TestTheLogSaysWhatWasNotTested(t *testing.T) {
	full := openFake(nil)(t).withDefaults(t)
	if text := inventory(Laws(), full); !strings.HasPrefix(text, "powers found: driver.Checker, driver.DestinationChecker, io.Closer\npowers not found: none\n") || strings.Contains(text, "left out") {
		t.Errorf("the log of a sink with every power says\n%s", text)
	}
	full.Sink, full.TooLarge = struct{ outbox.Sink }{full.Sink}, 0
	text := inventory(Laws(), full)
	for _, want := range []string{"powers found: none\n", "\n\ta sink may be closed twice", "\n\ta check sends no message"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log does not say %q:\n%s", want, text)
		}
	}
}

// TestTheSuiteFindsDefects shows that the laws can fail: each defect is one
// that a driver could have, and its law must complain.
func TestTheSuiteFindsDefects(t *testing.T) {
	hurry(t)
	byName := map[string]Law{}
	for _, law := range Laws() {
		byName[law.Name] = law
	}
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			law, ok := byName[d.law]
			if !ok {
				t.Fatalf("there is no law %q", d.law)
			}
			v := violations(t, law, openFake(d.make))
			if len(v) == 0 {
				t.Fatalf("%q did not notice", d.law)
			}
			t.Logf("%s: %s", d.law, v[0])
		})
	}
}

func TestEveryLawFindsADefect(t *testing.T) {
	var found []string
	for _, d := range defects() {
		found = append(found, d.law)
	}
	all := strings.Join(found, "\n")
	for _, law := range Laws() {
		if !strings.Contains(all, law.Name) {
			t.Errorf("no defect shows that %q can fail", law.Name)
		}
	}
}

// violations runs a law on a subject and returns what the law complains about.
func violations(t testing.TB, law Law, open Open) []string {
	return complaints.Of(t, func(t testing.TB) { law.Check(t, open(t).withDefaults(t)) })
}
