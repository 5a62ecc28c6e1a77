package core

import "slices"

// queue is a FIFO that can also be pushed to at the front. What left the
// awaited state while it was queued is passed over.
type queue struct {
	items []*Item
	head  int
}

func (q *queue) len() int { return len(q.items) - q.head }

func (q *queue) push(it *Item) { q.items = append(q.items, it) }

func (q *queue) pushFront(it *Item) {
	if q.head > 0 {
		q.head--
		q.items[q.head] = it
		return
	}
	q.items = slices.Insert(q.items, 0, it)
}

// insert keeps the order of seq. It looks from the end, where nearly all go.
func (q *queue) insert(it *Item) {
	i := len(q.items)
	for i > q.head && q.items[i-1].held.Seq > it.held.Seq {
		i--
	}
	if i == q.head {
		q.pushFront(it)
		return
	}
	q.items = slices.Insert(q.items, i, it)
}

// peek is the first that the condition holds for; those before it are thrown
// away.
func (q *queue) peek(valid func(*Item) bool) *Item {
	for q.head < len(q.items) {
		if it := q.items[q.head]; valid(it) {
			return it
		}
		q.advance()
	}
	return nil
}

func (q *queue) pop(valid func(*Item) bool) *Item {
	it := q.peek(valid)
	if it != nil {
		q.advance()
	}
	return it
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

func isReady(it *Item) bool   { return it.state == Ready }
func isWaiting(it *Item) bool { return it.state.waits() }
