package console

import (
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// announced is a state in which one relay has delivered n events of a type.
func announced(at time.Time, n int64) admin.Status {
	return admin.Status{Lane: admin.Lane{Type: "*"}, Relays: []admin.Relay{{
		Owner: "a/1", StartedAt: at.Add(-time.Hour), SeenAt: at,
		Figures: admin.Figures{Types: []admin.TypeFigures{{Type: "A", Delivered: n, Ages: []admin.AgeBucket{{Below: 0.001, N: n}}}}},
	}}}
}

func TestTheSeriesReachesADayBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where it is the same time until the end
		r := newRecorder(5*time.Second, nil, nil)
		end := time.Now()
		n := int64(0)
		for at := end.Add(-26 * time.Hour); !at.After(end); at = at.Add(5 * time.Second) {
			n += 50
			r.note(announced(at, n), nil, at)
		}
		for d, want := range map[time.Duration]int{30 * time.Minute: 360, time.Hour: 720, 24 * time.Hour: 720} {
			points := r.over(d)
			if len(points) < want-5 || len(points) > want {
				t.Errorf("%s has %d points, expected about %d", d, len(points), want)
			}
			if first := end.Sub(points[0].at); first < d-5*time.Minute {
				t.Errorf("%s begins %s ago", d, first)
			}
			for _, p := range points {
				if rate := p.perSecond(p.delivered); math.Abs(rate-10) > 0.5 {
					t.Fatalf("%s has a rate of %v, expected 10", d, rate)
				}
			}
		}
		if w := r.window(); math.Abs(w.PerSecond(w.Total.Delivered)-10) > 0.5 || w.Took > 70*time.Second || w.Total.Percentile(0.5) > time.Millisecond {
			t.Errorf("the last minute is %+v", w.Total)
		}
		if s := sparkOf(r.over(30*time.Minute), "A", 44); len(s) > 44 || math.Abs(s[3]-10) > 0.5 {
			t.Errorf("the small chart is %v", s)
		}
	})
}

func TestAPointThatSomebodyReadsDoesNotChange(t *testing.T) {
	r := newRecorder(5*time.Second, nil, nil)
	at := time.Now().Add(-time.Minute)
	r.note(announced(at, 0), nil, at)
	r.note(announced(at.Add(5*time.Second), 50), nil, at.Add(5*time.Second))
	before := r.coarse.after(time.Time{})
	r.note(announced(at.Add(10*time.Second), 100), nil, at.Add(10*time.Second))
	if n := before[0].types["A"]; math.Abs(n-50) > 1 {
		t.Errorf("it has %v deliveries, and had 50", n)
	}
}

func TestAnOutageOfTheDatabaseIsAGap(t *testing.T) {
	r := newRecorder(5*time.Second, nil, nil)
	at := time.Now().Add(-time.Minute)
	r.note(announced(at, 0), nil, at)
	r.note(admin.Status{}, errors.New("down"), at.Add(5*time.Second))
	if _, known, err := r.state(); !known || err == nil {
		t.Errorf("known %v, error %v", known, err)
	}
	r.note(announced(at.Add(50*time.Second), 5000), nil, at.Add(50*time.Second))
	if points := r.over(time.Hour); len(points) != 0 {
		t.Errorf("there are %d points, and nothing was measured in between", len(points))
	}
}
