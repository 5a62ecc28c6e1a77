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
	// Written is how many events were written. WrittenKnown is false if more wait
	// than are counted.
	Written      float64
	WrittenKnown bool
	Waiting      int64 // at its end
	Dead         int64 // open letters at its end
	// Busy is the total number of seconds that workers spent running events.
	Busy float64
}

// Merge adds the next step.
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

// Sum merges consecutive steps.
func Sum(steps []Step) Step {
	sum := Step{Types: map[string]Figures{}, WrittenKnown: true}
	for _, s := range steps {
		sum.Merge(s)
	}
	return sum
}

// PerSecond turns a number of the step into a rate; NaN if the step took no time.
func (p *Step) PerSecond(n float64) float64 {
	if p.Took <= 0 {
		return math.NaN()
	}
	return n / p.Took.Seconds()
}

// In returns how many events were written per second; NaN if that is not known.
func (p *Step) In() float64 {
	if !p.WrittenKnown {
		return math.NaN()
	}
	return p.PerSecond(p.Written)
}
