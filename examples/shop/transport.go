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
	"github.com/sendoff-go/outbox/sink/httpsink"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// transport takes events from the shop to billing.
type transport struct {
	name        string
	sink        outbox.Sink
	destination string       // empty: where billing takes webhooks
	flags       []string     // for billing
	close       func() error // after the relay and billing have ended
}

// openTransport makes ready for webhooks, or for Kafka if there are brokers.
func openTransport(ctx context.Context, brokers []string, log *slog.Logger) (*transport, error) {
	if len(brokers) > 0 {
		return openKafka(ctx, brokers, log)
	}
	sink, err := httpsink.New(httpsink.Config{Logger: log})
	if err != nil {
		return nil, err
	}
	return &transport{name: "webhooks", sink: sink, flags: []string{"-listen", "127.0.0.1:0"}, close: sink.Close}, nil
}

func openKafka(ctx context.Context, brokers []string, log *slog.Logger) (*transport, error) {
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
	return &transport{
		name: "Kafka, topic " + topic, sink: sink, destination: topic,
		flags: []string{"-kafka", strings.Join(brokers, ","), "-topic", topic, "-group", topic},
		close: func() error {
			limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
			defer cancel()
			err := sink.Close()
			_, noGroup := cluster.DeleteGroup(limited, topic)
			_, noTopic := cluster.DeleteTopic(limited, topic)
			client.Close()
			return errors.Join(err, noGroup, noTopic)
		},
	}, nil
}
