package core

import (
	"testing"
	"time"
)

func TestAPaceForgetsWhatIsOverWhateverTheClockDoes(t *testing.T) {
	p, now := newPace(8*time.Second), time.Unix(1e6, 0)
	for _, c := range []struct {
		step time.Duration
		want int
	}{{0, 1}, {4 * time.Second, 2}, {5 * time.Second, 2}, {time.Minute, 1}, {-time.Hour, 1}, {time.Second, 2}, {9 * time.Second, 1}} {
		now = now.Add(c.step)
		p.add(now)
		if got := p.count(now); got != c.want {
			t.Errorf("%d after %s, want %d", got, c.step, c.want)
		}
	}
}
