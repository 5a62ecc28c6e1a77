package main

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/natssink"
)

// natsWindow is that of the sink: messages on their way without an answer.
const natsWindow = 4096

func natsKind() brokerKind { return brokerKind{variable: "OUTBOX_TEST_NATS", open: openNATS} }

type natsBroker struct {
	url  string
	conn *nats.Conn
	js   jetstream.JetStream
}

func openNATS(_ context.Context, url string) (broker, error) {
	conn, err := nats.Connect(url)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &natsBroker{url: url, conn: conn, js: js}, nil
}

func (b *natsBroker) create(ctx context.Context, to string) error {
	_, err := b.js.CreateStream(ctx, jetstream.StreamConfig{Name: to, Subjects: []string{to}, Storage: jetstream.FileStorage})
	return err
}

func (b *natsBroker) sink(log *slog.Logger) (closingSink, error) {
	return natssink.New(natssink.Config{URL: b.url, Logger: log})
}

func (b *natsBroker) sender(ms []outbox.Message) sender {
	s := &natsSender{url: b.url, messages: make([]*nats.Msg, len(ms))}
	for i := range ms {
		m := &ms[i]
		headers := make(nats.Header, len(m.Headers)+1)
		for name, value := range m.Headers {
			headers[name] = []string{value}
		}
		headers[nats.MsgIdHdr] = []string{m.Event.ID}
		s.messages[i] = &nats.Msg{Subject: m.Destination, Header: headers, Data: m.Payload()}
	}
	return s
}

func (b *natsBroker) read(ctx context.Context, to string, got func(payload []byte)) error {
	stream, err := b.js.Stream(ctx, to)
	if err != nil {
		return err
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return err
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	for range info.State.Msgs {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		got(m.Data())
	}
	return nil
}

func (b *natsBroker) remove(ctx context.Context, to string) error { return b.js.DeleteStream(ctx, to) }

func (b *natsBroker) close() { b.conn.Close() }

type natsSender struct {
	url      string
	messages []*nats.Msg
	conn     *nats.Conn
	js       jetstream.JetStream
}

func (s *natsSender) connect(context.Context, int) (err error) {
	if s.conn, err = nats.Connect(s.url); err != nil {
		return err
	}
	s.js, err = jetstream.New(s.conn, jetstream.WithPublishAsyncMaxPending(natsWindow))
	return err
}

func (s *natsSender) send(ctx context.Context, _, from, to int) error {
	futures := make([]jetstream.PubAckFuture, 0, to-from)
	for _, m := range s.messages[from:to] {
		future, err := s.js.PublishMsgAsync(m)
		if err != nil {
			return err
		}
		futures = append(futures, future)
	}
	for _, future := range futures {
		select {
		case <-future.Ok():
		case err := <-future.Err():
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (s *natsSender) close() {
	if s.conn != nil {
		s.conn.Close()
	}
}
