package tally

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestAQuantileIsTheNearestRankAndLessThanOnePercentTooLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var h Histogram
		all := make([]time.Duration, 1+rng.IntN(5000))
		for i := range all {
			// From nanoseconds to minutes.
			all[i] = time.Duration(rng.Int64N(1 << (1 + rng.IntN(38))))
			h.Add(all[i])
		}
		slices.Sort(all)
		s := h.Snapshot()
		for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.99, 1} {
			rank := max(int(q*float64(len(all))+0.999999), 1)
			exact, got := all[rank-1], s.Quantile(q)
			if got < exact || float64(got) > float64(exact)*1.01 {
				t.Errorf("quantile %v of %d durations is %s, exactly %s", q, len(all), got, exact)
			}
		}
		if h.Max() != all[len(all)-1] || s.Quantile(1) != h.Max() {
			t.Errorf("max is %s, the largest quantile %s, want %s", h.Max(), s.Quantile(1), all[len(all)-1])
		}
	}
}

func TestFewDurations(t *testing.T) {
	var h Histogram
	if got := h.Snapshot().Quantile(0.99); got != 0 {
		t.Errorf("of none: %s, want 0", got)
	}
	h.Add(3 * time.Millisecond)
	if got := h.Snapshot().Quantile(0.5); got != 3*time.Millisecond {
		t.Errorf("of one: %s, want 3ms", got)
	}
	h.Add(-time.Second)
	if got := h.Snapshot().Quantile(0.5); got != 0 {
		t.Errorf("a negative duration is %s, want 0", got)
	}
}

func TestADurationBeyondTheLastBucketKeepsItsMaximum(t *testing.T) {
	var h Histogram
	h.Add(100 * time.Hour)
	if h.Max() != 100*time.Hour {
		t.Errorf("max is %s", h.Max())
	}
	if got := h.Snapshot().Quantile(0.5); got <= 0 || got > 100*time.Hour {
		t.Errorf("the median is %s", got)
	}
}

func TestSinceAndAdd(t *testing.T) {
	var h Histogram
	h.Add(time.Millisecond)
	before := h.Snapshot()
	h.Add(time.Second)
	recent := h.Snapshot().Since(before)
	if recent.Count() != 1 || recent.Quantile(0.5) != time.Second {
		t.Errorf("since then %d durations with median %s, want one of 1s", recent.Count(), recent.Quantile(0.5))
	}
	if all := before.Add(recent); all.Count() != 2 {
		t.Errorf("together %d durations, want 2", all.Count())
	}
	if h.Snapshot().Since(nil).Count() != 2 {
		t.Error("since nothing is not everything")
	}
}
