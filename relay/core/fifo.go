package core

import "slices"

// fifo is a queue of values.
type fifo[T any] struct {
	items []T
	head  int
}

func (q *fifo[T]) len() int { return len(q.items) - q.head }

func (q *fifo[T]) push(v T) { q.items = append(q.items, v) }

func (q *fifo[T]) pushFront(v T) {
	if q.head > 0 {
		q.head--
		q.items[q.head] = v
		return
	}
	q.items = slices.Insert(q.items, 0, v)
}

// insertAt puts a value before the i-th of items, which is not before the head.
func (q *fifo[T]) insertAt(i int, v T) { q.items = slices.Insert(q.items, i, v) }

func (q *fifo[T]) front() T { return q.items[q.head] }

func (q *fifo[T]) pop() {
	var zero T
	q.items[q.head] = zero
	q.head++
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	} else if q.head > 1024 && q.head*2 > len(q.items) {
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
}

// popBack drops the last value, of at least one.
func (q *fifo[T]) popBack() {
	clear(q.items[len(q.items)-1:])
	q.items = q.items[:len(q.items)-1]
}

// tidy drops values that are over, if they are more than half. One that stays
// at the front must not keep all later ones in memory.
func (q *fifo[T]) tidy(alive int, over func(T) bool) {
	if q.len() <= 2*alive+1024 {
		return
	}
	q.items, q.head = slices.DeleteFunc(slices.Delete(q.items, 0, q.head), over), 0
}
