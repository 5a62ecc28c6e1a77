package core

// queue is a FIFO that skips events that left the expected state while they were
// queued.
type queue struct {
	fifo[*Item]
	alive int // how many were left when it was tidied
}

// push adds an event at the end.
func (q *queue) push(it *Item) {
	q.forget()
	q.fifo.push(it)
}

// forget drops events that will not wait again: one that stays at the front, as behind
// a run that takes hours, must not keep them in memory.
func (q *queue) forget() {
	if q.len() > 2*q.alive+1024 {
		q.tidy(q.alive, func(it *Item) bool { return it.state.unsettled() || it.state == Stuck || it.state == Gone })
		q.alive = q.len()
	}
}

// insert keeps the order of seq. It searches from the end, where nearly all go.
func (q *queue) insert(it *Item) {
	q.forget()
	i := len(q.items)
	for i > q.head && q.items[i-1].held.Seq > it.held.Seq {
		i--
	}
	if i == q.head {
		q.pushFront(it)
		return
	}
	q.insertAt(i, it)
}

// peek returns the first event that valid accepts, and drops those before it.
func (q *queue) peek(valid func(*Item) bool) *Item {
	for q.head < len(q.items) {
		if it := q.items[q.head]; valid(it) {
			return it
		}
		q.fifo.pop()
	}
	return nil
}

func (q *queue) pop(valid func(*Item) bool) *Item {
	it := q.peek(valid)
	if it != nil {
		q.fifo.pop()
	}
	return it
}

func isReady(it *Item) bool   { return it.state == Ready }
func isWaiting(it *Item) bool { return it.state.waits() }
