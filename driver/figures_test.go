package driver_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func TestADurationIsWithinTheBoundsOfItsBucket(t *testing.T) {
	for d := time.Microsecond; d < 48*time.Hour; d += d/7 + 1 {
		from, to := driver.AgeBounds(driver.AgeBucket(d))
		if d < from || d >= to || to > from+from/2 && from > 0 {
			t.Fatalf("%s is in a bucket from %s to %s", d, from, to)
		}
	}
	if last := driver.AgeBucket(1000 * time.Hour); last != len(driver.Ages{})-1 {
		t.Errorf("1000 h are in bucket %d, expected the last", last)
	}
}

func TestAPercentileIsCloseToTheExactOne(t *testing.T) {
	var a driver.Ages
	for ms := 1; ms <= 1000; ms++ {
		a[driver.AgeBucket(time.Duration(ms)*time.Millisecond)]++
	}
	for p, exact := range map[float64]time.Duration{0.5: 500 * time.Millisecond, 0.99: 990 * time.Millisecond} {
		if got := a.Percentile(p); got < exact*3/4 || got > exact*5/4 {
			t.Errorf("the percentile %v is %s, expected about %s", p, got, exact)
		}
	}
	if got := (&driver.Ages{}).Percentile(0.5); got != 0 {
		t.Errorf("without events it is %s", got)
	}
}

func TestAgesKeepTheirCountsAsJSON(t *testing.T) {
	var a, b driver.Ages
	a[0], a[17] = 3, 1<<40
	text, err := json.Marshal(a)
	if err != nil || string(text) != "[[0,3],[17,1099511627776]]" {
		t.Fatalf("%s, %v", text, err)
	}
	if err := json.Unmarshal(text, &b); err != nil || a != b {
		t.Errorf("%v, %v", b, err)
	}
	for _, bad := range []string{"[[64,1]]", "[[-1,1]]", "{}"} {
		if json.Unmarshal([]byte(bad), &b) == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}
