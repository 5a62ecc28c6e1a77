package main

import (
	"math"
	"testing"
)

func TestWorkInSeriesTakesTheSumOfTheTimes(t *testing.T) {
	for _, c := range []struct{ a, b, want float64 }{
		{100, 100, 50},
		{30_000, 300_000, 27_272.727},
		{300_000, 30_000, 27_272.727},
		{100, 0, 0},
		{0, 0, 0},
	} {
		if got := inSeries(c.a, c.b); math.Abs(got-c.want) > 0.001 {
			t.Errorf("inSeries(%g, %g) = %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

func TestAFigureInSeriesPairsTheRuns(t *testing.T) {
	r := resultsOf(map[string][]float64{"raw": {200, 100, 300}, "drain": {200, 100, 300, 1}})
	r["drain"].Samples[1].Lost = 2
	f := oneAndThen(r.figure("raw", rate), r.figure("drain", rate))
	if f == nil || f.Median != 100 || f.Low != 50 || f.High != 150 || f.Lost != 2 || f.Metric != rate {
		t.Errorf("figure = %+v, want a median of 100 between 50 and 150, with 2 lost", f)
	}
}

func TestAFigureInSeriesNeedsBothParts(t *testing.T) {
	r := resultsOf(map[string][]float64{"raw": {200}})
	if f := oneAndThen(r.figure("raw", rate), r.figure("drain", rate)); f != nil {
		t.Errorf("figure = %+v, want none", f)
	}
	ours := r.figure("raw", rate)
	if got := atLeast("no reference", ours, oneAndThen(ours, nil), 0.8); got.Verdict != notRun {
		t.Errorf("verdict %q, want %q", got.Verdict, notRun)
	}
}
