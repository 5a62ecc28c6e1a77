package rabbitsink

import (
	"context"
	"errors"
	"fmt"
	"slices"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/internal/keyrow"
)

// Send implements [outbox.Sink]. It publishes the batch and then waits for the
// confirmations; a message with a key goes out after the one before it was
// confirmed.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	if len(batch) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	errs := make([]error, len(batch))
	c, err := s.connect(ctx)
	if err != nil {
		return fill(errs, outbox.Unavailable(err))
	}
	b := &sending{conn: c, parcels: make([]parcel, len(batch)), errs: errs, unheard: make([]bool, len(batch))}
	for i := range batch {
		b.parcels[i], errs[i] = s.pack(&batch[i], c.Config.FrameSize)
		if errs[i] == nil {
			errs[i] = c.refuseBody(len(b.parcels[i].Body))
		}
	}
	// A full queue nacks one message and may accept a later one.
	rows := keyrow.Of(batch, errs, func(i int) string { return batch[i].Destination })
	rows.Rounds(errs, func(round []int) {
		todo, err := b.withExchange(ctx, slices.Clone(round))
		if err == nil {
			todo, err = b.publishAll(ctx, todo)
		}
		if err != nil {
			err = outbox.Unavailable(s.closedOr(err))
			for _, i := range todo {
				errs[i] = err
			}
		}
	})
	for i, unheard := range b.unheard {
		if unheard {
			errs[i] = driver.Uncertain(errs[i])
		}
	}
	return errs
}

// closedOr returns errClosed if the sink was closed, or else err.
func (s *Sink) closedOr(err error) error {
	select {
	case <-s.done:
		return errClosed
	default:
		return fmt.Errorf("rabbitsink: %w", err)
	}
}

func fill(errs []error, err error) []error {
	for i := range errs {
		errs[i] = err
	}
	return errs
}

// sending is a batch in flight.
type sending struct {
	*conn
	parcels []parcel
	errs    []error
	unheard []bool // was published once, and got no answer
}

// withExchange fails the messages whose exchange does not exist, and returns
// the others. Publishing to a missing exchange closes the channel and loses the
// confirmations of earlier messages, so each exchange is looked up first, once
// per connection.
func (b *sending) withExchange(ctx context.Context, todo []int) ([]int, error) {
	missing := map[string]error{}
	for _, i := range todo {
		name := b.parcels[i].exchange
		if _, asked := missing[name]; asked || name == "" || b.exists(name) {
			continue
		}
		err := b.probe(ctx, func(ch *amqp.Channel) error {
			return ch.ExchangeDeclarePassive(name, "direct", false, false, false, false, nil)
		})
		var e *amqp.Error
		switch {
		case err == nil:
			b.found(name)
		case b.IsClosed() || ctx.Err() != nil:
			return todo, err
		case errors.As(err, &e) && e.Code == amqp.NotFound:
			missing[name] = missingExchange(name)
		default: // publishing will tell
			b.found(name)
		}
	}
	if len(missing) == 0 {
		return todo, nil
	}
	left := todo[:0]
	for _, i := range todo {
		if err := missing[b.parcels[i].exchange]; err != nil {
			b.errs[i] = err
		} else {
			left = append(left, i)
		}
	}
	return left, nil
}

func (c *conn) exists(exchange string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.exchanges[exchange]
	return ok
}

func (c *conn) found(exchange string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.exchanges[exchange] = struct{}{}
}

func (c *conn) lost(exchange string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.exchanges, exchange)
}

// publishAll publishes in order, a window at a time. When it fails, it returns
// those that have no answer.
func (b *sending) publishAll(ctx context.Context, todo []int) ([]int, error) {
	alone := false
	for len(todo) > 0 {
		n := 1
		if !alone {
			n = b.together(todo)
		}
		first := todo[0]
		rest, refusal, err := b.publish(ctx, todo[:n])
		// The messages without an answer come before those not tried yet.
		n -= len(rest)
		copy(todo[n:], rest)
		todo = todo[n:]
		if err != nil {
			return todo, err
		}
		if refusal == nil {
			b.prove(first)
			continue
		}
		left := b.blame(refusal, todo, len(rest))
		if len(left) == len(todo) {
			if n == 0 && len(rest) == 1 {
				err := driver.DestinationError(refusal, b.parcels[todo[0]].destination())
				b.errs[todo[0]] = fmt.Errorf("rabbitsink: the broker refused the message and closed the channel: %w", err)
				b.unheard[todo[0]] = false
				left = todo[1:]
			}
			alone = true // so that each gets its own answer
		}
		todo = left
	}
	return nil, nil
}
