package core

// backlog is the events of a lane that wait for a worker.
type backlog struct {
	hot, cold rotation
	turn      int // counts for the ratio of 2:1
	before    int // what turn was before the last pop
}

func newBacklog(fair bool) backlog {
	return backlog{hot: rotation{fair: fair}, cold: rotation{fair: fair}}
}

// of returns where an event belongs.
func (b *backlog) of(it *Item) *rotation {
	if it.Hot {
		return &b.hot
	}
	return &b.cold
}

// pop takes hot before cold, 2:1, and either when the other is empty.
func (b *backlog) pop() *Item {
	first, second := &b.hot, &b.cold
	if b.before = b.turn; b.turn == 2 {
		first, second = second, first
	}
	if it := first.pop(); it != nil {
		b.turn = (b.turn + 1) % 3
		return it
	}
	return second.pop()
}

// putBack undoes the last pop. Where the event was only looked at, it must not lose
// its turn: the next batch would look at it again, and so on.
func (b *backlog) putBack(it *Item) {
	b.turn = b.before
	b.of(it).putBack(it)
}

// any reports whether an event is ready.
func (b *backlog) any() bool { return b.hot.any() || b.cold.any() }

// empty reports whether nothing is queued, ready or not.
func (b *backlog) empty() bool { return b.hot.empty() && b.cold.empty() }
