package admin

import (
	"container/list"
	"sync"
	"time"
)

// maxNames is how many buckets there are at most. Beyond it, the one that was
// used least recently is forgotten: whoever has that many addresses could not
// be kept out by a limit on each.
const maxNames = 10_000

// buckets bound how often something may happen under each name. One that has
// been idle until it was full is forgotten, since a new one is full as well. It
// is safe for concurrent use.
type buckets struct {
	size int           // how much may happen at once
	per  time.Duration // how long an empty one takes to be full

	mu    sync.Mutex
	all   map[string]*list.Element
	order list.List // of *bucket, the one that was used last in front
}

type bucket struct {
	name string
	left float64
	at   time.Time
}

// take takes one from the bucket of a name, if there is one left. Otherwise it
// returns how long to wait for it.
func (b *buckets) take(name string) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.forget(now)
	at := b.all[name]
	if at == nil {
		if b.all == nil {
			b.all = map[string]*list.Element{}
		}
		at = b.order.PushFront(&bucket{name: name, left: float64(b.size), at: now})
		b.all[name] = at
		if len(b.all) > maxNames {
			b.drop(b.order.Back())
		}
	}
	b.order.MoveToFront(at)
	own := at.Value.(*bucket)
	own.left, own.at = b.level(own, now), now
	if own.left < 1 {
		return b.refill(1 - own.left)
	}
	own.left--
	return 0
}

// wait returns how long take would have to wait, and takes nothing.
func (b *buckets) wait(name string) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.all[name]
	if at == nil {
		return 0
	}
	return b.refill(1 - b.level(at.Value.(*bucket), time.Now()))
}

// level is what a bucket has now. It is called with mu held, like those below.
func (b *buckets) level(own *bucket, now time.Time) float64 {
	return min(float64(b.size), own.left+float64(now.Sub(own.at))/float64(b.per)*float64(b.size))
}

// refill is how long it takes until that much is there.
func (b *buckets) refill(missing float64) time.Duration {
	if missing <= 0 {
		return 0
	}
	return max(1, time.Duration(missing*float64(b.per)/float64(b.size)))
}

func (b *buckets) forget(now time.Time) {
	for last := b.order.Back(); last != nil && now.Sub(last.Value.(*bucket).at) >= b.per; last = b.order.Back() {
		b.drop(last)
	}
}

func (b *buckets) drop(at *list.Element) {
	delete(b.all, at.Value.(*bucket).name)
	b.order.Remove(at)
}
