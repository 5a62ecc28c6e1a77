package main

import (
	"fmt"
	"math"
	"slices"
)

// figure is the median of identical runs, and their spread.
type figure struct {
	Of      string  `json:"of"`
	Metric  metric  `json:"metric"`
	Median  float64 `json:"median"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Lost    int     `json:"lost"`
	Doubled int     `json:"doubled"`

	runs []float64 // one value for each
}

// newFigure makes a figure from the values of identical runs, at least one.
func newFigure(of string, m metric, runs []float64) *figure {
	return &figure{Of: of, Metric: m, Median: median(runs), Low: slices.Min(runs), High: slices.Max(runs), runs: runs}
}

// spread is the distance of the extremes from each other, as a part of the
// median.
func (f *figure) spread() float64 {
	if f.Median == 0 {
		return 0
	}
	return (f.High - f.Low) / f.Median
}

func (f *figure) String() string {
	if f == nil {
		return "-"
	}
	return fmt.Sprintf("%s ±%s", f.Metric.format(f.Median), percent(f.spread()/2))
}

// row is one line of the final table.
type row struct {
	What      string  `json:"what"`
	Ours      *figure `json:"ours"`
	Reference *figure `json:"reference,omitempty"`
	Ratio     *figure `json:"ratio,omitempty"` // run by run
	Required  string  `json:"required,omitempty"`
	Verdict   verdict `json:"verdict"`
}

type verdict string

const (
	met    verdict = "met"
	missed verdict = "missed"
	shown  verdict = "-"       // nothing is asked of it
	notRun verdict = "not run" // left out by -only, or failed
)

// atLeast asks ours to be at least x times the reference.
func atLeast(what string, ours, reference *figure, x float64) row {
	r := compared(what, ours, reference)
	r.Required = "≥ " + times(x)
	r.judge(r.Ratio != nil && r.Ratio.Median >= x)
	return r
}

// atMost asks ours to be at most x times the reference.
func atMost(what string, ours, reference *figure, x float64) row {
	r := compared(what, ours, reference)
	r.Required = "≤ " + times(x)
	r.judge(r.Ratio != nil && r.Ratio.Median <= x)
	return r
}

// noLess asks ours to be no less than a number.
func noLess(what string, ours *figure, least float64) row {
	r := row{What: what, Ours: ours, Verdict: notRun}
	if ours != nil {
		r.Required, r.Verdict = "≥ "+ours.Metric.format(least), met
		r.judge(ours.Median >= least)
	}
	return r
}

// noMore asks ours to be no more than a number.
func noMore(what string, ours *figure, most float64) row {
	r := row{What: what, Ours: ours, Verdict: notRun}
	if ours != nil {
		r.Required, r.Verdict = "≤ "+ours.Metric.format(most), met
		r.judge(ours.Median <= most)
	}
	return r
}

// compared shows two figures and asks for nothing.
func compared(what string, ours, reference *figure) row {
	r := row{What: what, Ours: ours, Reference: reference, Verdict: notRun}
	if r.Ratio = ratioOf(ours, reference); r.Ratio != nil {
		r.Verdict = shown
	}
	return r
}

// ratioOf divides run by run: what ran one after the other found the same
// machine, and what ran half an hour apart did not. It is nil if one of them did
// not run.
func ratioOf(ours, reference *figure) *figure {
	if ours == nil || reference == nil {
		return nil
	}
	var vs []float64
	for i := range min(len(ours.runs), len(reference.runs)) {
		if reference.runs[i] != 0 {
			vs = append(vs, ours.runs[i]/reference.runs[i])
		}
	}
	if len(vs) == 0 {
		return nil
	}
	return newFigure(ours.Of+" / "+reference.Of, quotient, vs)
}

// alone shows one figure.
func alone(what string, ours *figure) row {
	r := row{What: what, Ours: ours, Verdict: notRun}
	if ours != nil {
		r.Verdict = shown
	}
	return r
}

// judge decides, unless there was nothing to judge. A figure with a lost or
// doubled event is missed whatever its value.
func (r *row) judge(ok bool) {
	switch {
	case r.Verdict == notRun:
	case ok && r.Ours.Lost == 0 && r.Ours.Doubled == 0 && !math.IsNaN(r.Ours.Median):
		r.Verdict = met
	default:
		r.Verdict = missed
	}
}

func times(x float64) string {
	if x < 1 {
		return percent(x)
	}
	return fmt.Sprintf("%.1f x", x)
}
