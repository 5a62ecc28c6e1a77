package console

import (
	"math"
	"time"

	"github.com/sendoff-go/outbox/admin/rates"
)

// ring is a series of bounded length.
type ring struct{ points []rates.Step }

func (r *ring) add(p rates.Step, most int) {
	copied := p
	copied.Types = make(map[string]rates.Figures, len(p.Types))
	for name, f := range p.Types {
		copied.Types[name] = f
	}
	r.points = append(r.points, copied)
	if len(r.points) > most {
		r.points = append([]rates.Step(nil), r.points[len(r.points)-most:]...)
	}
}

// open reports whether a step of that length begins now.
func (r *ring) open(_ time.Time, step time.Duration) bool {
	return len(r.points) == 0 || r.points[len(r.points)-1].Took >= step
}

func (r *ring) merge(p rates.Step) { r.points[len(r.points)-1].Merge(p) }

// after returns the points after a time.
func (r *ring) after(at time.Time) []rates.Step {
	for i := range r.points {
		if r.points[i].At.After(at) {
			return r.points[i:]
		}
	}
	return nil
}

// window adds up the steps of the last while.
func (r *recorder) window(d time.Duration) rates.Step {
	r.mu.Lock()
	defer r.mu.Unlock()
	return rates.Sum(r.fine.after(time.Now().Add(-d)))
}

// chart is a series for a page: one array each, seconds since 1970 first. Null is
// not known.
type chart struct {
	At        []int64    `json:"at"`
	Written   []*float64 `json:"written"`
	Delivered []*float64 `json:"delivered"`
	Failed    []*float64 `json:"failed"`
}

// over returns the series of the last while, of a day in coarse steps.
func (r *recorder) over(d time.Duration) []rates.Step {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := &r.fine
	if d > maxSteps*r.every {
		from = &r.coarse
	}
	some := from.after(time.Now().Add(-d))
	out := make([]rates.Step, len(some))
	copy(out, some)
	return out
}

// chartOf is the series of all types.
func chartOf(points []rates.Step) chart {
	c := chart{At: []int64{}, Written: []*float64{}, Delivered: []*float64{}, Failed: []*float64{}}
	for i := range points {
		p := &points[i]
		c.At = append(c.At, p.At.Unix())
		known := func(n float64, yes bool) *float64 {
			v := math.Round(10*p.PerSecond(n)) / 10
			if !yes || math.IsNaN(v) {
				return nil
			}
			return &v
		}
		c.Written = append(c.Written, known(p.Written, p.WrittenKnown))
		c.Delivered = append(c.Delivered, known(p.Total.Delivered, true))
		c.Failed = append(c.Failed, known(p.Total.Failed, true))
	}
	return c
}

// sparkOf is the rate of one type in at most n steps.
func sparkOf(points []rates.Step, eventType string, n int) []float64 {
	if len(points) == 0 {
		return nil
	}
	out := []float64{}
	group := max((len(points)+n-1)/n, 1)
	for i := 0; i < len(points); i += group {
		var delivered float64
		var took time.Duration
		for _, p := range points[i:min(i+group, len(points))] {
			delivered += p.Types[eventType].Delivered
			took += p.Took
		}
		out = append(out, delivered/max(took.Seconds(), 0.001))
	}
	return out
}
