package hazelcastsink

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hazelcast/hazelcast-go-client/serialization"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Sink publishes to Hazelcast topics. It is safe for concurrent use.
type Sink struct {
	cfg  Config
	link *link
	away atomic.Bool // as last logged

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

var (
	_ outbox.Sink    = (*Sink)(nil)
	_ driver.Checker = (*Sink)(nil)
)

var errClosed = errors.New("hazelcastsink: the sink was closed: make a new one")

// New makes a sink. It checks the configuration and does not connect: the
// cluster may come up later. Close ends it.
func New(cfg Config) (*Sink, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return &Sink{cfg: cfg, link: newLink(cfg)}, nil
}

// Send implements [outbox.Sink]. The messages of a topic are published in their
// order, and those of several topics at the same time.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	if len(batch) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	errs := make([]error, len(batch))
	queues := map[string]*queue{}
	for i := range batch {
		var text serialization.JSON
		if text, errs[i] = encode(&batch[i]); errs[i] != nil {
			continue
		}
		q := queues[batch[i].Destination]
		if q == nil {
			q = &queue{topic: batch[i].Destination}
			queues[q.topic] = q
		}
		q.at, q.texts = append(q.at, i), append(q.texts, text)
	}
	if len(queues) > 0 {
		s.publish(ctx, queues, errs)
		s.tell(errs)
	}
	return errs
}

// publish sends the queues and sets the errors of their messages.
func (s *Sink) publish(ctx context.Context, queues map[string]*queue, errs []error) {
	session, err := s.link.await(ctx)
	var topics sync.WaitGroup
	for _, q := range queues {
		if err != nil {
			for _, i := range q.at {
				errs[i] = outbox.Unavailable(err)
			}
			continue
		}
		topics.Go(func() { s.drain(ctx, session, q, errs) })
	}
	topics.Wait()
}

// tell logs when the cluster becomes unavailable and when it is back.
func (s *Sink) tell(errs []error) {
	at := slices.IndexFunc(errs, func(err error) bool { return err != nil && outbox.IsUnavailable(err) })
	switch {
	case at >= 0 && s.away.CompareAndSwap(false, true):
		s.cfg.Logger.Warn("hazelcastsink: the cluster is unavailable", "error", errs[at])
	case at < 0 && s.away.CompareAndSwap(true, false):
		s.cfg.Logger.Info("hazelcastsink: the cluster is back")
	}
}

// run runs f in a goroutine that Close waits for; false if the sink is closed.
func (s *Sink) run(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.work.Go(f)
	}
	return !s.closed
}

// Check implements [driver.Checker]. It asks any member for the names of the
// cluster's objects, and changes nothing.
func (s *Sink) Check(ctx context.Context) error {
	session, err := s.link.await(ctx)
	if err != nil {
		return outbox.Unavailable(err)
	}
	answered := make(chan error, 1)
	if !s.run(func() { answered <- ping(ctx, session.client, s.cfg.DialTimeout) }) {
		return outbox.Unavailable(errClosed)
	}
	select {
	case err = <-answered:
	case <-session.ctx.Done():
		err = errLost
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		return outbox.Unavailable(fmt.Errorf("hazelcastsink: the cluster does not answer: %w", err))
	}
	return nil
}

// Close ends the client. A waiting Send returns at once. It may be called more
// than once.
func (s *Sink) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	if !s.link.close() {
		return errors.New("hazelcastsink: the client does not end: its goroutines stay until the process ends")
	}
	s.work.Wait()
	return nil
}
