package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

const kafkaPartitions = 4

func kafkaKind() brokerKind {
	return brokerKind{variable: "OUTBOX_TEST_KAFKA", open: openKafka}
}

type kafkaBroker struct {
	address string
	client  *kgo.Client
	admin   *kadm.Client
}

func openKafka(_ context.Context, text string) (broker, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is not a URL such as kafka://host:9092", text)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(u.Host))
	if err != nil {
		return nil, err
	}
	return &kafkaBroker{address: u.Host, client: client, admin: kadm.NewClient(client)}, nil
}

// create returns when every partition has a leader: a client that asks earlier
// waits before it asks again.
func (b *kafkaBroker) create(ctx context.Context, to string) error {
	if _, err := b.admin.CreateTopic(ctx, kafkaPartitions, 1, nil, to); err != nil {
		return err
	}
	for {
		_, err := b.admin.ListEndOffsets(ctx, to)
		topics, listErr := b.admin.ListTopics(ctx, to)
		if err == nil && listErr == nil && topics.Error() == nil && len(topics[to].Partitions) == kafkaPartitions {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err, listErr)
		}
	}
}

func (b *kafkaBroker) sink(log *slog.Logger) (closingSink, error) {
	return kafkasink.New(kafkasink.Config{Brokers: []string{b.address}, Logger: log})
}

func (b *kafkaBroker) sender(ms []outbox.Message) sender {
	records := make([]*kgo.Record, len(ms))
	for i := range ms {
		m := &ms[i]
		records[i] = &kgo.Record{Topic: m.Destination, Key: []byte(m.Key), Value: m.Payload()}
		for name, value := range m.Headers {
			records[i].Headers = append(records[i].Headers, kgo.RecordHeader{Key: name, Value: []byte(value)})
		}
	}
	return &kafkaSender{address: b.address, records: records}
}

func (b *kafkaBroker) read(ctx context.Context, to string, got func(payload []byte)) error {
	ends, err := b.admin.ListEndOffsets(ctx, to)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return err
	}
	left := 0
	ends.Each(func(o kadm.ListedOffset) { left += int(o.Offset) })
	client, err := kgo.NewClient(kgo.SeedBrokers(b.address), kgo.ConsumeTopics(to), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return err
	}
	defer client.Close()
	for left > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		fetches.EachRecord(func(r *kgo.Record) {
			got(r.Value)
			left--
		})
	}
	return nil
}

func (b *kafkaBroker) remove(ctx context.Context, to string) error {
	_, err := b.admin.DeleteTopic(ctx, to)
	return err
}

func (b *kafkaBroker) close() { b.client.Close() }

type kafkaSender struct {
	address string
	records []*kgo.Record
	client  *kgo.Client
}

func (s *kafkaSender) connect(context.Context, int) (err error) {
	s.client, err = kgo.NewClient(append(kafkasink.ClientOptions(), kgo.SeedBrokers(s.address))...)
	return err
}

func (s *kafkaSender) send(ctx context.Context, _, from, to int) error {
	return s.client.ProduceSync(ctx, s.records[from:to]...).FirstErr()
}

func (s *kafkaSender) close() {
	if s.client != nil {
		s.client.Close()
	}
}
