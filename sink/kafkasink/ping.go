package kafkasink

import (
	"context"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

// pings holds the ping in progress, if any: concurrent callers share its
// answer.
type pings struct {
	mu  sync.Mutex
	now *ping
}

type ping struct {
	done chan struct{}
	err  error // once done
}

// ping returns nil if any broker answers, or else the reason. It waits no
// longer than the context.
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

// maxAsked bounds the attempts when brokers close the connection.
const maxAsked = 3

// askBrokers retries if the connection was closed during the request: the
// client may have used one that a broker had already closed, which says nothing
// about the broker. It uses the client's own limits and no context, for two
// reasons: the client's handshake ignores the context, and when the context
// ends the client passes the request to the next broker while the last one
// still reads it, a data race.
func (s *Sink) askBrokers() error {
	for n := 1; ; n++ {
		err := s.client.Ping(context.Background())
		if err == nil || n == maxAsked || s.isClosed() || timedOut(err) || !kgo.IsRetryableBrokerErr(err) {
			return err
		}
	}
}
