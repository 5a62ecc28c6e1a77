package kafkasink

import "context"

// gate lets many sends run concurrently, or one alone. It is a pair of channels
// rather than a sync.RWMutex because a context must be able to end the wait.
type gate struct {
	slots chan struct{}
	alone chan struct{}
}

// width is how many sends run concurrently; more would only wait in the client.
const width = 64

func newGate() gate { return gate{make(chan struct{}, width), make(chan struct{}, 1)} }

func (g gate) enter(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case g.slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (g gate) leave() { <-g.slots }

// enterAlone waits until no other send runs, and keeps new ones out.
func (g gate) enterAlone(ctx context.Context) bool {
	select {
	case g.alone <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	for n := range width {
		select {
		case g.slots <- struct{}{}:
		case <-ctx.Done():
			for range n {
				g.leave()
			}
			<-g.alone
			return false
		}
	}
	return true
}

func (g gate) leaveAlone() {
	for range width {
		g.leave()
	}
	<-g.alone
}
