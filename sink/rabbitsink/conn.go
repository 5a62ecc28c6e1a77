package rabbitsink

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// conn is one connection to the broker, with its channels and what was learned
// on it.
type conn struct {
	*amqp.Connection
	wire    *wire
	log     *slog.Logger
	blocked atomic.Pointer[string] // the broker's reason for not reading, or nil
	slots   chan struct{}          // one for each channel in use
	work    sync.WaitGroup         // goroutines that end with the connection

	proven  atomic.Int64 // payloads up to this size are accepted
	refused atomic.Int64 // payloads from this size on are refused, unless it is 0

	mu        sync.Mutex
	free      []*channel
	exchanges map[string]struct{} // seen to exist
	ended     bool
}

// grace is how long something that cannot be cancelled may outlive its context.
const grace = 100 * time.Millisecond

// dial connects to one node and does the handshake. The client's handshake can
// only be cancelled by closing the network connection, which the client also
// leaves open when it fails.
func (s *Sink) dial(ctx context.Context, url string) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.DialTimeout)
	defer cancel()
	go func() {
		select {
		case <-s.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	uri, err := amqp.ParseURI(url)
	if err != nil {
		return nil, err
	}
	nc, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(uri.Host, strconv.Itoa(uri.Port)))
	if err != nil {
		return nil, err
	}
	w := &wire{Conn: nc}
	stop := context.AfterFunc(ctx, func() { _ = w.Close() })
	defer stop()
	ac, err := amqp.DialConfig(url, s.amqpConfig(w))
	if err != nil {
		_ = w.Close()
		if ctx.Err() != nil {
			err = fmt.Errorf("the broker at %s accepted the connection but did not answer: %w", nc.RemoteAddr(), context.Cause(ctx))
		}
		return nil, err
	}
	c := &conn{
		Connection: ac, wire: w, log: s.cfg.Logger,
		slots:     make(chan struct{}, s.cfg.Channels),
		exchanges: map[string]struct{}{},
	}
	c.proven.Store(unprovenSize)
	c.watch()
	return c, nil
}

func (s *Sink) amqpConfig(w *wire) amqp.Config {
	config := amqp.Config{
		Heartbeat:  s.cfg.Heartbeat,
		Properties: amqp.NewConnectionProperties(),
		Dial:       func(string, string) (net.Conn, error) { return w, nil },
	}
	config.Properties.SetClientConnectionName(s.cfg.ClientID)
	if s.cfg.TLS != nil {
		config.TLSClientConfig = s.cfg.TLS.Clone() // the client writes to it
	}
	return config
}

// watch follows the broker's messages about the whole connection.
func (c *conn) watch() {
	closes := c.NotifyClose(make(chan *amqp.Error, 1))
	blocks := c.NotifyBlocked(make(chan amqp.Blocking, 8))
	c.work.Go(func() {
		for b := range blocks {
			if !b.Active {
				c.blocked.Store(nil)
				c.log.Info("rabbitsink: the broker accepts messages again")
				continue
			}
			c.blocked.Store(&b.Reason)
			c.log.Warn("rabbitsink: the broker blocks publishers", "reason", b.Reason)
		}
		if err := <-closes; err != nil {
			c.log.Warn("rabbitsink: connection lost", "error", err)
		}
	})
}

// alarm returns the reason why the broker accepts no messages, or nil.
func (c *conn) alarm() error {
	if reason := c.blocked.Load(); reason != nil {
		return fmt.Errorf("the broker blocks publishers (%s): free memory or disk space there", *reason)
	}
	return nil
}

// bounded runs f, which cannot be cancelled, and cuts the connection if f still
// runs after the end of ctx: a write to a broker that does not read blocks
// forever.
func (c *conn) bounded(ctx context.Context, f func() error) error {
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		t := time.NewTimer(grace)
		defer t.Stop()
		select {
		case <-ended:
		case <-t.C:
			_ = c.wire.Close()
		}
	})
	err := f()
	close(ended)
	stop()
	if ctx.Err() != nil && errors.Is(err, amqp.ErrClosed) {
		return context.Cause(ctx)
	}
	return err
}

// end closes the connection, gracefully if the broker still answers.
func (c *conn) end() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	_ = c.CloseDeadline(time.Now().Add(time.Second))
	_ = c.wire.Close()
	c.work.Wait()
}
