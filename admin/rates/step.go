package rates

import (
	"math"
	"time"
)

// Step is what happened between two states.
type Step struct {
	At    time.Time // its end
	Took  time.Duration
	Total Figures
	Types map[string]Figures
	// Written is how many events were written, which is known unless more wait than
	// are counted.
	Written      float64
	WrittenKnown bool
	Waiting      int64 // at its end
	Dead         int64 // open letters at its end
	// Busy is how many seconds workers have run events, added up.
	Busy float64
}

// Merge adds the step that follows.
func (p *Step) Merge(q Step) {
	p.Took += q.Took
	p.Total.Add(q.Total)
	if p.Types == nil {
		p.Types = make(map[string]Figures, len(q.Types))
	}
	for name, f := range q.Types {
		of := p.Types[name]
		of.Add(f)
		p.Types[name] = of
	}
	p.Written, p.WrittenKnown = p.Written+q.Written, p.WrittenKnown && q.WrittenKnown
	p.At, p.Waiting, p.Dead, p.Busy = q.At, q.Waiting, q.Dead, p.Busy+q.Busy
}

// Sum puts steps together, in their order.
func Sum(steps []Step) Step {
	sum := Step{Types: map[string]Figures{}, WrittenKnown: true}
	for _, s := range steps {
		sum.Merge(s)
	}
	return sum
}

// PerSecond is a number of the step as a rate; NaN if nothing was measured.
func (p *Step) PerSecond(n float64) float64 {
	if p.Took <= 0 {
		return math.NaN()
	}
	return n / p.Took.Seconds()
}

// In is how many events were written a second; NaN if that is not known.
func (p *Step) In() float64 {
	if !p.WrittenKnown {
		return math.NaN()
	}
	return p.PerSecond(p.Written)
}
