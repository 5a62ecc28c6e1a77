package sim

import (
	"testing"
	"time"
)

func TestAReadingHasAWallClockAndAMonotonicOne(t *testing.T) {
	wall := time.Date(2030, 5, 6, 7, 8, 9, 123456789, time.UTC)
	before, after := reading(wall, time.Second), reading(wall.Add(-time.Hour), 3*time.Second)
	if got := before.Round(0).UTC(); !got.Equal(wall) {
		t.Errorf("the wall clock shows %s, not %s", got, wall)
	}
	if got := after.Sub(before); got != 2*time.Second {
		t.Errorf("%s have passed, not 2s", got)
	}
	if got := after.Round(0).Sub(before.Round(0)); got != -time.Hour {
		t.Errorf("the wall clock was set by %s, not -1h", got)
	}
	if got := before.Add(time.Minute).Sub(after); got != 58*time.Second {
		t.Errorf("a minute later %s have passed, not 58s", got)
	}
}
