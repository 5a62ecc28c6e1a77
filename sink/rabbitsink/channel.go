package rabbitsink

import (
	"context"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
)

// window bounds the messages in flight on one channel. The client drops a
// return if its listener has no room, and with it the only sign that a message
// was not routed: so the listener has room for all of them.
const window = 512

// channel is in confirm mode and serves one batch at a time.
type channel struct {
	*amqp.Channel
	returns chan amqp.Return
	closes  chan *amqp.Error
}

// take returns a channel for a batch, and waits while all are in use.
func (c *conn) take(ctx context.Context) (*channel, error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("all %d channels were in use until the timeout: raise Channels, or send from fewer workers: %w", cap(c.slots), context.Cause(ctx))
	}
	if ch := c.idle(); ch != nil {
		return ch, nil
	}
	ch, err := c.open(ctx)
	if err != nil {
		<-c.slots
	}
	return ch, err
}

func (c *conn) idle() *channel {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.free) > 0 {
		last := len(c.free) - 1
		ch := c.free[last]
		c.free = c.free[:last]
		if !ch.IsClosed() {
			return ch
		}
	}
	return nil
}

func (c *conn) open(ctx context.Context) (*channel, error) {
	ch := &channel{}
	err := c.bounded(ctx, func() (err error) {
		if ch.Channel, err = c.Channel(); err != nil {
			return err
		}
		return ch.Confirm(false)
	})
	if err != nil {
		return nil, err
	}
	ch.returns = ch.NotifyReturn(make(chan amqp.Return, window))
	ch.closes = ch.NotifyClose(make(chan *amqp.Error, 1))
	return ch, nil
}

// give returns the channel to the pool. One that still owes confirmations
// cannot serve another batch.
func (c *conn) give(ch *channel, settled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case ch.IsClosed() || c.ended:
	case settled:
		c.free = append(c.free, ch)
	default:
		c.work.Go(func() { _ = ch.Close() }) // blocks until the broker answers, or the connection ends
	}
	<-c.slots
}

// probe sends the broker a request to see whether it answers.
func (c *conn) probe(ctx context.Context, f func(*amqp.Channel) error) error {
	return c.bounded(ctx, func() error {
		ch, err := c.Channel()
		if err != nil {
			return err
		}
		if err := f(ch); err != nil {
			if !ch.IsClosed() {
				_ = ch.Close()
			}
			return err
		}
		return ch.Close()
	})
}
