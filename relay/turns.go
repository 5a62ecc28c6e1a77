package relay

import (
	"sync"

	"github.com/sendoff-go/outbox/relay/core"
)

// turns has the hooks told of destinations in the order of the steps, whoever
// made those: a hook that hears "back" before "away" shows a destination as away
// for ever.
type turns struct {
	mu    sync.Mutex
	queue []core.Note
	busy  bool // somebody tells
}

// add is called with the relay's lock held, which is what makes the order.
func (t *turns) add(ns []core.Note) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, ns...)
}

// tell tells what is there, unless somebody does: they go on with it, also with
// what a hook causes meanwhile.
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
