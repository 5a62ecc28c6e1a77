package console

import (
	"maps"
	"math"
	"time"

	"github.com/sendoff-go/outbox/admin/rates"
)

// point is one step of a series: what a chart needs of it.
type point struct {
	at           time.Time
	took         time.Duration
	written      float64
	writtenKnown bool
	delivered    float64
	failed       float64
	types        map[string]float64 // delivered; never changed once it is here
}

func pointOf(s rates.Step) point {
	p := point{at: s.At, took: s.Took, written: s.Written, writtenKnown: s.WrittenKnown, delivered: s.Total.Delivered, failed: s.Total.Failed, types: map[string]float64{}}
	for name, f := range s.Types {
		if f.Delivered > 0 {
			p.types[name] = f.Delivered
		}
	}
	return p
}

// and adds the step that follows.
func (p point) and(q point) point {
	sum := point{
		at: q.at, took: p.took + q.took, written: p.written + q.written, writtenKnown: p.writtenKnown && q.writtenKnown,
		delivered: p.delivered + q.delivered, failed: p.failed + q.failed, types: maps.Clone(p.types),
	}
	for name, n := range q.types {
		sum.types[name] += n
	}
	return sum
}

// perSecond is a rate; NaN if nothing was measured.
func (p *point) perSecond(n float64) float64 {
	if p.took <= 0 {
		return math.NaN()
	}
	return n / p.took.Seconds()
}

// ring is a series of bounded length.
type ring struct{ points []point }

// add adds a point, or makes the last one longer until it has a length.
func (r *ring) add(p point, length time.Duration) {
	if n := len(r.points); n > 0 && r.points[n-1].took < length {
		r.points[n-1] = r.points[n-1].and(p)
		return
	}
	r.points = append(r.points, p)
	if len(r.points) > maxSteps {
		r.points = append([]point(nil), r.points[len(r.points)-maxSteps:]...)
	}
}

// after returns the points after a time.
func (r *ring) after(at time.Time) []point {
	for i := range r.points {
		if r.points[i].at.After(at) {
			return append([]point(nil), r.points[i:]...)
		}
	}
	return nil
}

// covers reports whether nothing after a time was dropped.
func (r *ring) covers(at time.Time) bool {
	return len(r.points) < maxSteps || !r.points[0].at.Add(-r.points[0].took).After(at)
}

// over returns the series of the last while, in the finest steps that reach so far
// back.
func (r *recorder) over(d time.Duration) []point {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := time.Now().Add(-d)
	if r.fine.covers(from) {
		return r.fine.after(from)
	}
	return r.coarse.after(from)
}

// chart is a series for a page: one array each, seconds since 1970 first. Null is
// not known.
type chart struct {
	At        []float64  `json:"at"`
	Written   []*float64 `json:"written"`
	Delivered []*float64 `json:"delivered"`
	Failed    []*float64 `json:"failed"`
}

// chartOf is the series of all types.
func chartOf(points []point) chart {
	c := chart{At: []float64{}, Written: []*float64{}, Delivered: []*float64{}, Failed: []*float64{}}
	for i := range points {
		p := &points[i]
		c.At = append(c.At, float64(p.at.UnixMilli())/1000)
		known := func(n float64, yes bool) *float64 {
			v := math.Round(10*p.perSecond(n)) / 10
			if !yes || math.IsNaN(v) {
				return nil
			}
			return &v
		}
		c.Written = append(c.Written, known(p.written, p.writtenKnown))
		c.Delivered = append(c.Delivered, known(p.delivered, true))
		c.Failed = append(c.Failed, known(p.failed, true))
	}
	return c
}

// sparkOf is the rate of one type in at most n steps.
func sparkOf(points []point, eventType string, n int) []float64 {
	if len(points) == 0 {
		return nil
	}
	out := []float64{}
	group := max((len(points)+n-1)/n, 1)
	for i := 0; i < len(points); i += group {
		var delivered float64
		var took time.Duration
		for _, p := range points[i:min(i+group, len(points))] {
			delivered += p.types[eventType]
			took += p.took
		}
		out = append(out, delivered/max(took.Seconds(), 0.001))
	}
	return out
}
