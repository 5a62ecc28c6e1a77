package signals

import (
	"sync"
	"time"
)

// recentLasts is how long a value counts that is not reported again: a relay
// reports every 5 s by default, and says nothing of types without events.
const recentLasts = 12 * time.Second

// maxRecent bounds the types that are remembered: writers choose them.
const maxRecent = 10_000

// recent is what was last reported of each event type. It is safe for concurrent
// use.
type recent[T any] struct {
	mu    sync.Mutex
	known map[string]reported[T]
}

type reported[T any] struct {
	at    time.Time
	value T
}

func (r *recent[T]) note(eventType string, value T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil || len(r.known) > maxRecent { // nobody asked for long, while types came and went
		r.known = map[string]reported[T]{}
	}
	r.known[eventType] = reported[T]{time.Now(), value}
}

// each calls f for all that counts, and forgets the rest.
func (r *recent[T]) each(f func(eventType string, value T)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for eventType, known := range r.known {
		if time.Since(known.at) > recentLasts {
			delete(r.known, eventType)
			continue
		}
		f(eventType, known.value)
	}
}
