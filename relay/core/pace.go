package core

import "time"

// pace counts what was finished recently.
type pace struct {
	width   time.Duration // of a part
	parts   [8]int
	current int64 // number of the latest part
}

func newPace(window time.Duration) pace { return pace{width: max(window/8, time.Millisecond)} }

// turn empties the parts that are over. Steps may come a little out of order;
// after a clock was set back, it starts over.
func (p *pace) turn(now time.Time) {
	n := now.UnixNano() / int64(p.width)
	if n < p.current-int64(len(p.parts)) {
		*p = pace{width: p.width, current: n}
	}
	for k := max(p.current+1, n-int64(len(p.parts))+1); k <= n; k++ {
		p.parts[k%int64(len(p.parts))] = 0
	}
	p.current = max(p.current, n)
}

func (p *pace) add(now time.Time) {
	p.turn(now)
	p.parts[p.current%int64(len(p.parts))]++
}

func (p *pace) count(now time.Time) (n int) {
	p.turn(now)
	for _, k := range p.parts {
		n += k
	}
	return n
}
