package console

import (
	"math"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// figures is what relays did in some time.
type figures struct {
	Delivered, Hot, Failed, Dead float64
	Ages                         [len(driver.Ages{})]float64
}

func (f *figures) add(g figures) {
	f.Delivered, f.Hot, f.Failed, f.Dead = f.Delivered+g.Delivered, f.Hot+g.Hot, f.Failed+g.Failed, f.Dead+g.Dead
	for i, n := range g.Ages {
		f.Ages[i] += n
	}
}

func (f figures) times(x float64) figures {
	f.Delivered, f.Hot, f.Failed, f.Dead = f.Delivered*x, f.Hot*x, f.Failed*x, f.Dead*x
	for i := range f.Ages {
		f.Ages[i] *= x
	}
	return f
}

// percentile estimates the age that the share p of the events did not exceed.
func (f *figures) percentile(p float64) time.Duration {
	var a driver.Ages
	for i, n := range f.Ages {
		a[i] = int64(math.Round(1000 * n)) // rates are fractions
	}
	return a.Percentile(p)
}

// point is one step of a series.
type point struct {
	At           time.Time
	Took         time.Duration
	Total        figures
	Types        map[string]figures
	Written      float64
	WrittenKnown bool
	Waiting      int64 // at its end
	Dead         int64 // letters at its end
	Busy         float64
}

// merge adds the step that follows.
func (p *point) merge(q point) {
	p.Took += q.Took
	p.Total.add(q.Total)
	for name, f := range q.Types {
		of := p.Types[name]
		of.add(f)
		p.Types[name] = of
	}
	p.Written, p.WrittenKnown = p.Written+q.Written, p.WrittenKnown && q.WrittenKnown
	p.At, p.Waiting, p.Dead, p.Busy = q.At, q.Waiting, q.Dead, p.Busy+q.Busy
}

// ring is a series of bounded length.
type ring struct{ points []point }

func (r *ring) add(p point, most int) {
	copied := p
	copied.Types = make(map[string]figures, len(p.Types))
	for name, f := range p.Types {
		copied.Types[name] = f
	}
	r.points = append(r.points, copied)
	if len(r.points) > most {
		r.points = append([]point(nil), r.points[len(r.points)-most:]...)
	}
}

// open reports whether a step of that length begins now.
func (r *ring) open(_ time.Time, step time.Duration) bool {
	return len(r.points) == 0 || r.points[len(r.points)-1].Took >= step
}

func (r *ring) merge(p point) { r.points[len(r.points)-1].merge(p) }

// after returns the points after a time.
func (r *ring) after(at time.Time) []point {
	for i := range r.points {
		if r.points[i].At.After(at) {
			return r.points[i:]
		}
	}
	return nil
}

// window adds up the steps of the last while; took is how long it really is.
func (r *recorder) window(d time.Duration) (sum point) {
	r.mu.Lock()
	defer r.mu.Unlock()
	sum.Types = map[string]figures{}
	sum.WrittenKnown = true
	for _, p := range r.fine.after(time.Now().Add(-d)) {
		sum.merge(p)
	}
	return sum
}

// perSecond is a rate; NaN if nothing was measured.
func (p *point) perSecond(n float64) float64 {
	if p.Took <= 0 {
		return math.NaN()
	}
	return n / p.Took.Seconds()
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
func (r *recorder) over(d time.Duration) []point {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := &r.fine
	if d > maxSteps*r.every {
		from = &r.coarse
	}
	some := from.after(time.Now().Add(-d))
	out := make([]point, len(some))
	copy(out, some)
	return out
}

// chartOf is the series of all types.
func chartOf(points []point) chart {
	c := chart{At: []int64{}, Written: []*float64{}, Delivered: []*float64{}, Failed: []*float64{}}
	for i := range points {
		p := &points[i]
		c.At = append(c.At, p.At.Unix())
		known := func(n float64, yes bool) *float64 {
			v := math.Round(10*p.perSecond(n)) / 10
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
			delivered += p.Types[eventType].Delivered
			took += p.Took
		}
		out = append(out, delivered/max(took.Seconds(), 0.001))
	}
	return out
}
