package kafkasink

import (
	"context"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

// pings is the ping under way, if any: whoever asks meanwhile gets its answer.
type pings struct {
	mu  sync.Mutex
	now *ping
}

type ping struct {
	done chan struct{}
	err  error // once done
}

// ping is the answer of any broker, or why there is none. It waits no longer
// than the context.
func (s *Sink) ping(ctx context.Context) error {
	p := s.reach.pings.join(s.askBrokers)
	select {
	case <-p.done:
		if p.err == nil {
			s.reach.proven.Store(true)
		}
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.closed:
		return errClosed
	}
}

func (p *pings) join(ask func() error) *ping {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != nil {
		return p.now
	}
	now := &ping{done: make(chan struct{})}
	p.now = now
	go func() {
		now.err = ask()
		p.mu.Lock()
		p.now = nil
		p.mu.Unlock()
		close(now.done)
	}()
	return now
}

// maxAsked is how often brokers are asked that close the connection.
const maxAsked = 3

// askBrokers asks again if the connection was closed under the question: the
// client may have put it on one that a broker had given up already, which does
// not say why. It has the client's own limits and no context, for two reasons:
// the client's handshake does not heed one, and when one ends the client gives
// the request to the next broker while the last still reads it, a data race.
func (s *Sink) askBrokers() error {
	for n := 1; ; n++ {
		err := s.client.Ping(context.Background())
		if err == nil || n == maxAsked || s.isClosed() || timedOut(err) || !kgo.IsRetryableBrokerErr(err) {
			return err
		}
	}
}
