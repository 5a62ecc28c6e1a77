//go:build unix

package console

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// worked is how much processor time f takes. How long it takes says nothing on a
// machine that does much else.
func worked(t *testing.T, f func()) time.Duration {
	t.Helper()
	before := spent(t)
	f()
	return spent(t) - before
}

// spent is the processor time that this process has had.
func spent(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func TestADiffOfLargeTextsEndsInTime(t *testing.T) {
	var a, b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&a, "a%d\n", i)
		fmt.Fprintf(&b, "b%d\n", i)
	}
	var out []diffLine
	took := worked(t, func() { out = diff("same\n"+a.String(), "same\n"+b.String()) })
	if len(out) != 100_002 || out[0].Kind != "same" || out[len(out)-1].Kind != "same" {
		t.Errorf("%d lines", len(out))
	}
	if took > 5*time.Second {
		t.Errorf("it took %s of a processor", took)
	}
}

func TestAPageOfAlertsIsTranslatedQuickly(t *testing.T) {
	name := strings.Repeat(" has been due for .", 7) // as long as a type may be
	took := worked(t, func() {
		for range 200 {
			alertText("zh", "The destination kafka has been down for 3m: "+strings.Repeat(name, 20))
			alertText("zh", "An event of type "+name+" has been due for 5m. Paused destinations: "+name+".")
		}
	})
	if took > 2*time.Second { // some milliseconds, and more with the race detector
		t.Errorf("400 alerts took %s of a processor", took)
	}
}
