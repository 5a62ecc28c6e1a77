package stored

import (
	"math"
	"testing"
	"time"
)

func TestSpansAndTimesAreRoundedUpToWhatTheDatabaseKeeps(t *testing.T) {
	for span, want := range map[time.Duration]int64{0: 0, 1: 1000, time.Millisecond: 1000, time.Millisecond + 1: 2000} {
		if got := Micros(span, time.Millisecond); got != want {
			t.Errorf("%s became %d µs, expected %d", span, got, want)
		}
	}
	at := time.Date(2024, 1, 1, 0, 0, 0, 1, time.UTC)
	if got := DueAt(at, time.Millisecond); got.Sub(at) != time.Millisecond-1 {
		t.Errorf("%s became %s", at, got)
	}
	if exact := at.Add(-1); DueAt(exact, time.Millisecond) != exact {
		t.Errorf("%s became %s", exact, DueAt(exact, time.Millisecond))
	}
	if got := DueAt(time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC), time.Millisecond); got != earliest {
		t.Errorf("a time that no database can keep became %s", got)
	}
	if got := DueAt(time.Time{}, time.Millisecond); !got.IsZero() {
		t.Errorf("no time became %s", got)
	}
}

func TestWhatIsTooLargeIsTheMostThereIs(t *testing.T) {
	if got := Duration(math.MaxInt64); got <= 0 {
		t.Errorf("a long time became %s", got)
	}
	if got := Duration(math.MinInt64); got >= 0 {
		t.Errorf("a long time ago became %s", got)
	}
	if got := AtMost(math.MaxInt); got != math.MaxInt32 {
		t.Errorf("a limit became %d", got)
	}
}
