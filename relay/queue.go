package relay

// queue is a FIFO that can also be pushed to at the front.
type queue struct {
	items []*item
	head  int
}

func (q *queue) len() int { return len(q.items) - q.head }

func (q *queue) push(it *item) { q.items = append(q.items, it) }

func (q *queue) pushFront(it *item) {
	if q.head > 0 {
		q.head--
		q.items[q.head] = it
		return
	}
	q.items = append(q.items, nil)
	copy(q.items[1:], q.items)
	q.items[0] = it
}

// pop skips what was dropped or given back while it waited, and is nil when
// nothing is left.
func (q *queue) pop() *item {
	it := q.peek()
	if it != nil {
		q.advance()
	}
	return it
}

// peek is what pop would return.
func (q *queue) peek() *item {
	for q.head < len(q.items) {
		if it := q.items[q.head]; it.state == queued {
			return it
		}
		q.advance()
	}
	return nil
}

func (q *queue) advance() {
	q.items[q.head] = nil
	q.head++
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	} else if q.head > 1024 && q.head*2 > len(q.items) {
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
}
