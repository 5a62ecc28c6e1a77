package main

import (
	"math"
	"slices"
	"time"
)

// median is the middle one, or the mean of the middle two; NaN of none.
func median(vs []float64) float64 {
	if len(vs) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(vs))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return (sorted[mid-1] + sorted[mid]) / 2
}

// quantile is the nearest rank of sorted durations, in milliseconds.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	rank := int(math.Ceil(q*float64(len(sorted)))) - 1
	return milliseconds(sorted[min(max(rank, 0), len(sorted)-1)])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// perSecond is a rate; 0 for no time.
func perSecond(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}
