package main

import (
	"context"
	"errors"
	"log/slog"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/rabbitsink"
)

// The kinds of queues.
const (
	classicQueue = "classic"
	quorumQueue  = "quorum"
)

func rabbitKind(queue string) brokerKind {
	return brokerKind{variable: "OUTBOX_TEST_RABBITMQ", open: func(_ context.Context, url string) (broker, error) {
		return openRabbit(url, queue)
	}}
}

// rabbitBroker sends to queues through the default exchange.
type rabbitBroker struct {
	url, kind string
	conn      *amqp.Connection
	channel   *amqp.Channel
}

func openRabbit(url, kind string) (broker, error) {
	conn, err := amqp.Dial(url)
	if err != nil {
		return nil, err
	}
	channel, err := conn.Channel()
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &rabbitBroker{url: url, kind: kind, conn: conn, channel: channel}, nil
}

func (b *rabbitBroker) create(_ context.Context, to string) error {
	_, err := b.channel.QueueDeclare(to, true, false, false, false, amqp.Table{"x-queue-type": b.kind})
	return err
}

func (b *rabbitBroker) sink(log *slog.Logger) (closingSink, error) {
	return rabbitsink.New(rabbitsink.Config{URL: b.url, DefaultExchange: true, Logger: log})
}

func (b *rabbitBroker) sender(ms []outbox.Message) sender {
	s := &rabbitSender{url: b.url, to: ms[0].Destination, publishings: make([]amqp.Publishing, len(ms))}
	for i := range ms {
		m := &ms[i]
		headers := make(amqp.Table, len(m.Headers))
		for name, value := range m.Headers {
			headers[name] = value
		}
		s.publishings[i] = amqp.Publishing{
			DeliveryMode: amqp.Persistent, ContentType: "application/json", MessageId: m.Event.ID,
			Type: m.Event.Type, Timestamp: m.Event.OccurredAt, Headers: headers, Body: m.Payload(),
		}
	}
	return s
}

func (b *rabbitBroker) read(ctx context.Context, to string, got func(payload []byte)) error {
	q, err := b.channel.QueueDeclarePassive(to, true, false, false, false, nil)
	if err != nil {
		return err
	}
	deliveries, err := b.channel.Consume(to, "", true, false, false, false, nil)
	if err != nil {
		return err
	}
	for range q.Messages {
		select {
		case d, ok := <-deliveries:
			if !ok {
				return errors.New("the channel was closed")
			}
			got(d.Body)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (b *rabbitBroker) remove(_ context.Context, to string) error {
	_, err := b.channel.QueueDelete(to, false, false, false)
	return err
}

func (b *rabbitBroker) close() { _ = b.conn.Close() } // nothing is on its way

// rabbitSender has a channel for each hand, as the sink has for each batch.
type rabbitSender struct {
	url, to     string
	publishings []amqp.Publishing
	conn        *amqp.Connection
	channels    []*amqp.Channel
}

func (s *rabbitSender) connect(_ context.Context, hands int) (err error) {
	if s.conn, err = amqp.Dial(s.url); err != nil {
		return err
	}
	for range hands {
		ch, err := s.conn.Channel()
		if err != nil {
			return err
		}
		if err := ch.Confirm(false); err != nil {
			return err
		}
		s.channels = append(s.channels, ch)
	}
	return nil
}

func (s *rabbitSender) send(ctx context.Context, hand, from, to int) error {
	confirms := make([]*amqp.DeferredConfirmation, 0, to-from)
	for i := from; i < to; i++ {
		confirm, err := s.channels[hand].PublishWithDeferredConfirm("", s.to, true, false, s.publishings[i])
		if err != nil {
			return err
		}
		confirms = append(confirms, confirm)
	}
	for _, confirm := range confirms {
		acked, err := confirm.WaitContext(ctx)
		if err != nil {
			return err
		}
		if !acked {
			return errors.New("the broker refused a message")
		}
	}
	return nil
}

func (s *rabbitSender) close() {
	if s.conn != nil {
		_ = s.conn.Close() // all is confirmed
	}
}
