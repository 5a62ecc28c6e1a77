package rabbitsink

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/sendoff-go/outbox/driver"
)

// silence is how long a broker may send nothing at all while a batch waits,
// before a timeout makes the sink reconnect.
const silence = time.Second

// publish sends messages on one channel and waits for the outcome of each. It
// returns those without an answer: with a refusal if the broker closed the
// channel because of one of them, and otherwise with an error.
func (b *sending) publish(ctx context.Context, todo []int) (rest []int, refusal *amqp.Error, err error) {
	if err := b.alarm(); err != nil {
		return todo, nil, err
	}
	ch, err := b.take(ctx)
	if err != nil {
		return todo, nil, err
	}
	began, reads := time.Now(), b.wire.reads.Load()
	confirms, begun, err := b.write(ctx, ch, todo)
	late := b.await(ctx, confirms)
	rest = b.settle(ch, todo, confirms, begun)
	b.give(ch, len(rest) == 0)
	switch {
	case len(rest) == 0:
		return nil, nil, nil
	case late != nil:
		if b.wire.reads.Load() == reads && time.Since(began) > silence {
			_ = b.wire.Close()
		}
		if alarm := b.alarm(); alarm != nil {
			return rest, nil, alarm
		}
		return rest, nil, fmt.Errorf("the broker confirmed %d of %d messages in time: %w", len(todo)-len(rest), len(todo), late)
	case b.IsClosed():
		return rest, nil, fmt.Errorf("the connection was lost before the broker confirmed: %w", b.reason(ch, err))
	}
	err = b.reason(ch, err)
	if errors.As(err, &refusal) && refusal.Server {
		return rest, refusal, nil
	}
	return rest, nil, fmt.Errorf("publishing ended: %w", err)
}

// write publishes until it is done or something fails. What it could not
// publish gets no confirmation. It returns how many it began to publish.
func (b *sending) write(ctx context.Context, ch *channel, todo []int) (confirms []*amqp.DeferredConfirmation, begun int, err error) {
	confirms = make([]*amqp.DeferredConfirmation, 0, len(todo))
	err = b.bounded(ctx, func() error {
		b.wire.cork()
		defer b.wire.uncork()
		for _, i := range todo {
			if err := ctx.Err(); err != nil {
				return err
			}
			begun++
			p := &b.parcels[i]
			confirm, err := ch.PublishWithDeferredConfirm(p.exchange, p.key, true, false, p.Publishing)
			if err != nil {
				return err
			}
			confirms = append(confirms, confirm)
		}
		return nil
	})
	return confirms, begun, err
}

// await waits until every confirmation has arrived or can no longer arrive; it
// fails if time is up first.
func (b *sending) await(ctx context.Context, confirms []*amqp.DeferredConfirmation) error {
	for _, confirm := range confirms {
		select {
		case <-confirm.Done():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// settle notes the outcomes that the broker has reported, and returns the other
// messages. A return arrives before the confirmation of its message, so it is
// here by now.
func (b *sending) settle(ch *channel, todo []int, confirms []*amqp.DeferredConfirmation, begun int) (rest []int) {
	var returned []amqp.Return
	verdicts := make([]verdict, len(confirms))
	for n, confirm := range confirms {
		verdicts[n] = verdictOf(confirm)
	}
	// Closing the channel completes its confirmations as refused.
	closed := ch.IsClosed()
	for {
		select {
		case r, ok := <-ch.returns:
			if ok {
				returned = append(returned, r)
				continue
			}
		default:
		}
		break
	}
	for n, i := range todo {
		switch {
		case n < len(confirms) && verdicts[n] == acked:
			b.errs[i] = b.unroutable(i, returned)
		case n >= len(confirms) || closed || verdicts[n] == pending:
			rest = append(rest, i)
			b.unheard[i] = b.unheard[i] || n < begun
		default:
			b.errs[i] = errors.New("rabbitsink: the broker refused the message (nack): a queue is full or broken, see its length limit and the broker's log")
		}
	}
	return rest
}

// unroutable returns the failure of a message that was returned.
func (b *sending) unroutable(i int, returned []amqp.Return) error {
	p := &b.parcels[i]
	at := slices.IndexFunc(returned, func(r amqp.Return) bool {
		return r.MessageId == p.MessageId && r.Exchange == p.exchange && r.RoutingKey == p.key
	})
	if at < 0 {
		return nil
	}
	r := &returned[at]
	if p.exchange == "" {
		return fmt.Errorf("rabbitsink: no queue %q (%d %s): declare it", driver.DestinationName(p.key), r.ReplyCode, r.ReplyText)
	}
	return fmt.Errorf("rabbitsink: exchange %q routed the message with key %q to no queue (%d %s): bind a queue for that key", driver.DestinationName(p.exchange), p.key, r.ReplyCode, r.ReplyText)
}

// reason returns why the channel was closed, or else err.
func (b *sending) reason(ch *channel, err error) error {
	select {
	case e := <-ch.closes:
		if e != nil {
			return e
		}
	default:
	}
	if err == nil {
		return amqp.ErrClosed
	}
	return err
}
