package rabbitsink

import (
	"context"
	"errors"
	"fmt"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Sink publishes to RabbitMQ. It is safe for concurrent use; batches that are
// sent at the same time do not wait for each other.
type Sink struct {
	cfg     Config
	urls    []string
	dialing chan struct{} // held while connecting
	done    chan struct{} // closed by Close
	work    sync.WaitGroup

	mu     sync.Mutex
	conn   *conn // the last one, which may be closed
	node   int   // index in urls, where to begin
	closed bool
}

var (
	_ outbox.Sink    = (*Sink)(nil)
	_ driver.Checker = (*Sink)(nil)
)

var errClosed = errors.New("rabbitsink: the sink was closed: make a new one")

// New makes a sink. It checks the configuration and does not connect: the
// broker may come up later. Close ends it.
func New(cfg Config) (*Sink, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	urls, err := cfg.urls()
	if err != nil {
		return nil, err
	}
	return &Sink{cfg: cfg, urls: urls, dialing: make(chan struct{}, 1), done: make(chan struct{})}, nil
}

// Check implements [driver.Checker]: it sends the broker a request, and fails
// while the broker blocks publishers. It closes a connection without an answer,
// so that the next use makes a new one.
func (s *Sink) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.DialTimeout)
	defer cancel()
	c, err := s.connect(ctx)
	if err != nil {
		return outbox.Unavailable(err)
	}
	if err := c.alarm(); err != nil {
		return outbox.Unavailable(fmt.Errorf("rabbitsink: %w", err))
	}
	if err := c.probe(ctx, func(*amqp.Channel) error { return nil }); err != nil {
		return outbox.Unavailable(fmt.Errorf("rabbitsink: the broker does not answer: %w", err))
	}
	return nil
}

// Close ends the connection, within a second if the broker hangs. A waiting
// Send returns with what is known. It may be called more than once and returns
// nil.
func (s *Sink) Close() error {
	s.mu.Lock()
	c, closed := s.conn, s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	close(s.done)
	if c != nil {
		c.end()
	}
	s.work.Wait()
	return nil
}

// connect returns the connection, and makes one if there is none. One caller
// connects while the others wait for it.
func (s *Sink) connect(ctx context.Context) (*conn, error) {
	if c, err := s.current(); c != nil || err != nil {
		return c, err
	}
	select {
	case s.dialing <- struct{}{}:
		defer func() { <-s.dialing }()
	case <-ctx.Done():
		return nil, fmt.Errorf("rabbitsink: not connected in time: %w", context.Cause(ctx))
	case <-s.done:
		return nil, errClosed
	}
	if c, err := s.current(); c != nil || err != nil {
		return c, err
	}
	c, err := s.dialAny(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.keep(c); err != nil {
		return nil, err
	}
	return c, nil
}

// current returns the connection if it is alive.
func (s *Sink) current() (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, errClosed
	case s.conn == nil || s.conn.IsClosed():
		return nil, nil
	}
	return s.conn, nil
}

// dialAny tries the nodes in turn, starting with the last that answered.
func (s *Sink) dialAny(ctx context.Context) (*conn, error) {
	var errs []error
	for range s.urls {
		c, err := s.dial(ctx, s.urls[s.node])
		if err == nil {
			return c, nil
		}
		errs = append(errs, explain(err))
		s.node = (s.node + 1) % len(s.urls)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, fmt.Errorf("rabbitsink: cannot connect: %w", errors.Join(errs...))
}

// keep makes c the current connection and ends the previous one.
func (s *Sink) keep(c *conn) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		c.end()
		return errClosed
	}
	defer s.mu.Unlock()
	if old := s.conn; old != nil {
		s.work.Go(old.end)
	}
	s.conn = c
	s.cfg.Logger.Info("rabbitsink: connected", "broker", c.RemoteAddr().String())
	return nil
}
