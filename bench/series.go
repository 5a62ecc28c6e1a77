package main

// inSeries is the rate of two steps done one after the other, with the rates a
// and b. A program that does both at the same time may be faster.
func inSeries(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return 1 / (1/a + 1/b)
}

// oneAndThen is that figure of two variants, run by run, so that a machine that
// slows down for one run slows both parts. It is nil if one of them did not run.
func oneAndThen(a, b *figure) *figure {
	if a == nil || b == nil {
		return nil
	}
	var vs []float64
	for i := range min(len(a.runs), len(b.runs)) {
		vs = append(vs, inSeries(a.runs[i], b.runs[i]))
	}
	if len(vs) == 0 {
		return nil
	}
	f := newFigure(a.Of+" and then "+b.Of, rate, vs)
	f.Lost, f.Doubled = a.Lost+b.Lost, a.Doubled+b.Doubled
	return f
}
