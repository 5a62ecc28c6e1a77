package main

import "testing"

func resultsOf(values map[string][]float64) results {
	r := results{}
	for name, vs := range values {
		o := &outcome{Variant: name}
		for _, v := range vs {
			o.Samples = append(o.Samples, sample{Values: map[metric]float64{rate: v}})
		}
		r[name] = o
	}
	return r
}

func TestVerdicts(t *testing.T) {
	r := resultsOf(map[string][]float64{"ours": {90, 100, 80}, "peer": {25, 30, 20}})
	ours, peer := r.figure("ours", rate), r.figure("peer", rate)
	if ours.Median != 90 || ours.Low != 80 || ours.High != 100 {
		t.Fatalf("figure = %+v", ours)
	}
	for _, c := range []struct {
		got  row
		want verdict
	}{
		{atLeast("3.6 times", ours, peer, 3.5), met},
		{atLeast("3.6 times", ours, peer, 3.7), missed},
		{atMost("3.6 times", ours, peer, 3.7), met},
		{atMost("3.6 times", ours, peer, 3.5), missed},
		{noLess("90", ours, 90), met},
		{noMore("90", ours, 89), missed},
		{compared("nothing is asked", ours, peer), shown},
		{atLeast("the peer did not run", ours, r.figure("nobody", rate), 1), notRun},
		{atLeast("ours did not run", r.figure("nobody", rate), peer, 1), notRun},
		{noMore("ours did not run", nil, 1), notRun},
	} {
		if c.got.Verdict != c.want {
			t.Errorf("%s: verdict %q, want %q (ratio %v)", c.got.What, c.got.Verdict, c.want, c.got.Ratio)
		}
	}
}

func TestARatioIsTheMedianOfTheRatiosOfRunsThatFollowedEachOther(t *testing.T) {
	// The machine was four times as fast in the second run, and the host took
	// most of it from ours in the last.
	r := resultsOf(map[string][]float64{"ours": {80, 320, 10}, "peer": {100, 400, 100}})
	row := atLeast("four fifths", r.figure("ours", rate), r.figure("peer", rate), 0.8)
	if q := row.Ratio; q == nil || q.Median != 0.8 || q.Low != 0.1 || q.High != 0.8 || row.Verdict != met {
		t.Errorf("ratio %+v, verdict %q; want 0.8 between 0.1 and 0.8, %q", row.Ratio, row.Verdict, met)
	}
}

func TestARatioToNothingIsNotJudged(t *testing.T) {
	r := resultsOf(map[string][]float64{"ours": {80}, "peer": {0}})
	if row := atLeast("of nothing", r.figure("ours", rate), r.figure("peer", rate), 0.8); row.Ratio != nil || row.Verdict != notRun {
		t.Errorf("ratio %+v, verdict %q; want none, %q", row.Ratio, row.Verdict, notRun)
	}
}

func TestAFigureWithALostOrDoubledEventIsMissed(t *testing.T) {
	r := resultsOf(map[string][]float64{"ours": {100}, "peer": {1}})
	r["ours"].Samples[0].Doubled = 1
	if got := atLeast("fast but doubled", r.figure("ours", rate), r.figure("peer", rate), 1); got.Verdict != missed {
		t.Errorf("verdict %q, want %q", got.Verdict, missed)
	}
}

func TestFastestIsTheHighestMedian(t *testing.T) {
	r := resultsOf(map[string][]float64{"a": {1, 9, 2}, "b": {3, 3, 3}})
	if f := r.fastest("a", "b", "not run"); f == nil || f.Of != "b" {
		t.Errorf("fastest = %v, want b", f)
	}
}
