package billing

import (
	"context"
	"log/slog"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// retryPause is the time between two deliveries of a record that failed.
const retryPause = 100 * time.Millisecond

// Kafka consumes a topic in a consumer group until ctx is done. It commits an
// offset after the effect of its record: a record that failed comes again, and
// those behind it wait.
func (b *Billing) Kafka(ctx context.Context, brokers []string, topic, group string, log *slog.Logger) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.ConsumeTopics(topic), kgo.ConsumerGroup(group),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(),
		kgo.FetchMaxWait(100*time.Millisecond))
	if err != nil {
		return err
	}
	defer client.CloseAllowingRebalance()
	for {
		fetches := client.PollRecords(ctx, 100)
		if ctx.Err() != nil {
			return nil
		}
		fetches.EachError(func(_ string, partition int32, err error) {
			log.Warn("billing: Kafka", "partition", partition, "error", err)
		})
		for _, record := range fetches.Records() {
			if !b.take(ctx, client, record, log) {
				return nil
			}
		}
		client.AllowRebalance()
	}
}

// take consumes a record, trying as often as necessary. It returns false if ctx
// ended.
func (b *Billing) take(ctx context.Context, client *kgo.Client, record *kgo.Record, log *slog.Logger) bool {
	for {
		err := b.Consume(ctx, kafkasink.Message(record))
		if err == nil {
			err = client.CommitRecords(ctx, record)
		}
		if err == nil {
			return true
		}
		log.Warn("billing: a record comes again", "offset", record.Offset, "error", err)
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return false
		}
	}
}
