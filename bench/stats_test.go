package main

import (
	"math"
	"testing"
	"time"
)

func TestMedianIsTheMiddleOne(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want float64
	}{
		{[]float64{3}, 3},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 3, 2}, 2.5},
	} {
		if got := median(c.of); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.of, got, c.want)
		}
	}
	if !math.IsNaN(median(nil)) {
		t.Error("the median of nothing must not look like a figure")
	}
}

func TestQuantileIsTheNearestRank(t *testing.T) {
	var ds []time.Duration
	for i := range 100 {
		ds = append(ds, time.Duration(i+1)*time.Millisecond)
	}
	for q, want := range map[float64]float64{0.5: 50, 0.99: 99, 1: 100} {
		if got := quantile(ds, q); got != want {
			t.Errorf("quantile %v = %v ms, want %v", q, got, want)
		}
	}
}
