package rates

import (
	"math"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// Figures says what relays did in a period. The numbers are estimates, so they may
// be fractions.
type Figures struct {
	Delivered, Hot, Failed, Dead float64
	// Ages counts the delivered events in each bucket of [driver.Ages].
	Ages [len(driver.Ages{})]float64
}

// Add adds g to f.
func (f *Figures) Add(g Figures) {
	f.Delivered, f.Hot, f.Failed, f.Dead = f.Delivered+g.Delivered, f.Hot+g.Hot, f.Failed+g.Failed, f.Dead+g.Dead
	for i, n := range g.Ages {
		f.Ages[i] += n
	}
}

// Times returns the figures multiplied by x.
func (f Figures) Times(x float64) Figures {
	f.Delivered, f.Hot, f.Failed, f.Dead = f.Delivered*x, f.Hot*x, f.Failed*x, f.Dead*x
	for i := range f.Ages {
		f.Ages[i] *= x
	}
	return f
}

// Percentile estimates the age below which a share p of the delivered events lies,
// such as 0.99; 0 if there are no events.
func (f *Figures) Percentile(p float64) time.Duration {
	var a driver.Ages
	for i, n := range f.Ages {
		a[i] = int64(math.Round(1000 * n)) // rates are fractions
	}
	return a.Percentile(p)
}

// between returns what a relay did with a type from one announcement to the next.
func between(before, now admin.TypeFigures) Figures {
	more := func(a, b int64) float64 { return float64(max(b-a, 0)) }
	f := Figures{
		Delivered: more(before.Delivered, now.Delivered), Hot: more(before.Hot, now.Hot),
		Failed: more(before.Failed, now.Failed), Dead: more(before.Dead, now.Dead),
	}
	old := map[float64]int64{}
	for _, b := range before.Ages {
		old[b.Below] = b.N
	}
	for _, b := range now.Ages {
		f.Ages[driver.AgeBucket(time.Duration(b.Below*float64(time.Second))-time.Microsecond)] += more(old[b.Below], b.N)
	}
	return f
}
