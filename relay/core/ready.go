package core

// ready makes an event wait for a worker.
func (m *memory) ready(it *Item) {
	if m.move(it, Ready) {
		m.queueOf(it).push(it)
		m.touch(it.lane)
	}
}

// readyFront puts back what was taken out and not run.
func (m *memory) readyFront(it *Item) {
	if it.state != Ready && !m.move(it, Ready) {
		return
	}
	m.queueOf(it).pushFront(it)
	m.touch(it.lane)
}

// waiting is where events wait for a worker.
type waiting interface {
	push(it *Item)
	pushFront(it *Item)
}

// queueOf is where an event waits for a worker.
func (m *memory) queueOf(it *Item) waiting {
	if it.suspect() {
		return &m.suspects.queue
	}
	return it.lane.queued.of(it)
}

// lapse keeps an event from running until its lease is renewed.
func (m *memory) lapse(it *Item) {
	m.move(it, Lapsed)
	m.wake(HoldLoop | TakeLoop)
}
