package main

import "math"

// inSeries is the rate of work that is done by one after the other, of which
// either alone has the rate a or b. What does both at the same time may be
// faster than that.
func inSeries(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return 1 / (1/a + 1/b)
}

// inSeries is that figure of two variants, run by run, so that a machine that
// slows down for one run slows both parts. It is nil if one of them did not run.
func (r results) inSeries(a, b *figure) *figure {
	if a == nil || b == nil {
		return nil
	}
	as, bs := r[a.Of].values(rate), r[b.Of].values(rate)
	var vs []float64
	for i := range min(len(as), len(bs)) {
		vs = append(vs, inSeries(as[i], bs[i]))
	}
	f := &figure{
		Of: a.Of + " and then " + b.Of, Metric: rate, Median: median(vs), Low: math.Inf(1), High: math.Inf(-1),
		Lost: a.Lost + b.Lost, Doubled: a.Doubled + b.Doubled,
	}
	for _, v := range vs {
		f.Low, f.High = min(f.Low, v), max(f.High, v)
	}
	return f
}
