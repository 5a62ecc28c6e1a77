package relay

import (
	"sync"

	"github.com/sendoff-go/outbox/relay/core"
)

// turns calls the hooks about destinations in the order of the steps, whichever
// goroutine made them: a hook that hears "back" before "away" would show a
// destination as unavailable forever.
type turns struct {
	mu    sync.Mutex
	queue []core.Note
	busy  bool // a goroutine is telling
}

// add is called with the relay's lock held, which determines the order.
func (t *turns) add(ns []core.Note) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, ns...)
}

// tell calls the hooks for what was added, unless another goroutine is doing
// so: that one goes on, even with what a hook adds meanwhile.
func (t *turns) tell(tell func(*core.Note)) {
	for {
		t.mu.Lock()
		if t.busy || len(t.queue) == 0 {
			t.mu.Unlock()
			return
		}
		ns := t.queue
		t.queue, t.busy = nil, true
		t.mu.Unlock()
		t.each(ns, tell)
	}
}

func (t *turns) each(ns []core.Note, tell func(*core.Note)) {
	defer func() { // a hook may panic
		t.mu.Lock()
		defer t.mu.Unlock()
		t.busy = false
	}()
	for i := range ns {
		tell(&ns[i])
	}
}
