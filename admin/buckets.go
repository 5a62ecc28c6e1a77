package admin

import (
	"sync"
	"time"
)

// buckets bound how many requests a second each name may send. Auth chooses the
// names, so there are few. It is safe for concurrent use.
type buckets struct {
	rate int

	mu  sync.Mutex
	all map[string]*bucket
}

type bucket struct {
	left float64
	at   time.Time
}

// take takes one from the bucket of a name, if there is one left.
func (b *buckets) take(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	own := b.all[name]
	if own == nil {
		if b.all == nil {
			b.all = map[string]*bucket{}
		}
		own = &bucket{left: float64(b.rate), at: now}
		b.all[name] = own
	}
	own.left = min(float64(b.rate), own.left+now.Sub(own.at).Seconds()*float64(b.rate))
	own.at = now
	if own.left < 1 {
		return false
	}
	own.left--
	return true
}
