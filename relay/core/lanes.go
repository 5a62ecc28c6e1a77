package core

// Lanes are the lanes of a relay, in the order they were added.
type Lanes struct {
	*base
	poller *poller
	byName map[string]*Lane
	list   []*Lane
	paused map[string]bool
}

// newLanes makes the lanes and the poller, which know each other.
func newLanes(b *base, load *load) (*Lanes, *poller) {
	ls := &Lanes{base: b, byName: map[string]*Lane{}}
	ls.poller = newPoller(b, ls, load)
	return ls, ls.poller
}

// Named returns the lane of that type, or nil.
func (ls *Lanes) Named(name string) *Lane { return ls.byName[name] }

// Add adds the lane of a type, with the destinations that its events may have. If
// the lane exists, nothing changes.
func (ls *Lanes) Add(name string, cfg LaneConfig, dests []*Dest) *Lane {
	if l := ls.byName[name]; l != nil {
		return l
	}
	l := newLane(name, cfg, dests, newPace(ls.cfg.Lease/4))
	l.pause(ls.paused[name] || ls.paused["*"])
	ls.byName[name] = l
	ls.list = append(ls.list, l)
	ls.poller.activate(l)
	return l
}

// Page returns at most n lanes after the first so many, in the order they were added,
// and whether there are more.
func (ls *Lanes) Page(after, n int) (page []*Lane, more bool) {
	return ls.list[min(after, len(ls.list)):min(after+n, len(ls.list))], after+n < len(ls.list)
}

// pause pauses these lanes, "*" for all, and resumes the others. It reports
// whether a pause has begun.
func (ls *Lanes) pause(names []string) (began bool) {
	ls.paused = nameSet(names)
	for _, l := range ls.list {
		was := l.paused
		l.pause(ls.paused[l.Name] || ls.paused["*"])
		if was && !l.paused {
			ls.poller.wakeLane(l)
			ls.touch(l)
		}
		began = began || (l.paused && !was)
	}
	return began
}

// touchAll makes the end of the step check every lane that may have something to
// start.
func (ls *Lanes) touchAll() {
	for _, l := range ls.list {
		if !l.queued.empty() {
			ls.touch(l)
		}
	}
}

// rest empties the queues, and forgets how far the lanes were read.
func (ls *Lanes) rest() {
	for _, l := range ls.list {
		l.rest()
	}
}
