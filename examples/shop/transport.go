package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/shop/internal/billing"
	"github.com/sendoff-go/outbox/sink/httpsink"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// transport takes events from the shop to billing.
type transport struct {
	name        string
	sink        outbox.Sink
	destination string
	close       func() error // after the relay has ended
}

// openTransport connects billing by webhooks, or by Kafka if there are brokers.
func openTransport(ctx context.Context, b *billing.Billing, brokers []string, log *slog.Logger) (*transport, error) {
	if len(brokers) > 0 {
		return openKafka(ctx, b, brokers, log)
	}
	server, err := serve("127.0.0.1:0", b.Webhook())
	if err != nil {
		return nil, err
	}
	sink, err := httpsink.New(httpsink.Config{Logger: log})
	if err != nil {
		return nil, errors.Join(err, server.close())
	}
	return &transport{
		name: "webhooks", sink: sink, destination: server.url + "/events",
		close: func() error { return errors.Join(sink.Close(), server.close()) },
	}, nil
}

func openKafka(ctx context.Context, b *billing.Billing, brokers []string, log *slog.Logger) (*transport, error) {
	topic := "outbox-shop-" + strings.ToLower(outbox.NewID())
	client, err := kgo.NewClient(append(kafkasink.ClientOptions(), kgo.SeedBrokers(brokers...))...)
	if err != nil {
		return nil, err
	}
	cluster := kadm.NewClient(client)
	limited, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if _, err := cluster.CreateTopic(limited, 3, -1, nil, topic); err != nil {
		client.Close()
		return nil, fmt.Errorf("the topic %s: %w", topic, err)
	}
	sink, err := kafkasink.New(kafkasink.Config{Client: client, Logger: log})
	if err != nil {
		client.Close()
		return nil, err
	}
	consuming, stop := context.WithCancel(context.WithoutCancel(ctx))
	consumer := make(chan error, 1)
	go func() { consumer <- b.Kafka(consuming, brokers, topic, log) }()
	return &transport{
		name: "Kafka, topic " + topic, sink: sink, destination: topic,
		close: func() error {
			stop()
			err := errors.Join(sink.Close(), <-consumer)
			limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
			defer cancel()
			_, noGroup := cluster.DeleteGroup(limited, topic)
			_, noTopic := cluster.DeleteTopic(limited, topic)
			client.Close()
			return errors.Join(err, noGroup, noTopic)
		},
	}, nil
}
