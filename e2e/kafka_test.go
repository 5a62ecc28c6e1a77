//go:build !race

package e2e

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

type kafka struct{ address, name string }

const partitions = 6

func openKafka(t *testing.T) *kafka {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.Kafka))
	must(t, err)
	k := &kafka{address: u.Host, name: "orders-" + strings.ToLower(outbox.NewID())}
	client, err := kgo.NewClient(kgo.SeedBrokers(k.address))
	must(t, err)
	defer client.Close()
	admin := kadm.NewClient(client)
	_, err = admin.CreateTopic(t.Context(), partitions, 1, nil, k.name)
	must(t, err)
	eventually(t, "the partitions take records, which is after the answer", func() bool {
		ends, err := admin.ListEndOffsets(t.Context(), k.name)
		return err == nil && ends.Error() == nil && len(ends[k.name]) == partitions
	}, nil)
	return k
}

func (k *kafka) sender() string { return fmt.Sprintf("{type: kafka, brokers: [%q]}", k.address) }
func (k *kafka) topic() string  { return k.name }

func (k *kafka) consumer() consumerConfig {
	return consumerConfig{Broker: "kafka", Address: k.address, From: k.name}
}

// wire reads all partitions from their beginning to their end.
func (k *kafka) wire(t *testing.T) (ids []string) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(k.address), kgo.ConsumeTopics(k.name))
	must(t, err)
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ends, err := kadm.NewClient(client).ListEndOffsets(ctx, k.name)
	must(t, err)
	var n int64
	ends.Each(func(o kadm.ListedOffset) { must(t, o.Err); n += o.Offset })
	for int64(len(ids)) < n {
		fetches := client.PollFetches(ctx)
		must(t, ctx.Err())
		fetches.EachRecord(func(r *kgo.Record) { ids = append(ids, kafkasink.Message(r).EventID) })
	}
	return ids
}

// consumeKafka is a member of a consumer group. It commits offsets after the
// effect, so that a rebalance in between brings messages again.
func consumeKafka(w *worker) error {
	client, err := kgo.NewClient(
		kgo.SeedBrokers(w.Address), kgo.ConsumeTopics(w.From), kgo.ConsumerGroup("billing-"+w.From),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.DisableAutoCommit(),
		// The shortest that brokers allow: for that long a member that was
		// killed keeps its partitions.
		kgo.SessionTimeout(6*time.Second), kgo.HeartbeatInterval(time.Second), kgo.RebalanceTimeout(6*time.Second),
		kgo.FetchMaxWait(100*time.Millisecond),
	)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx := context.Background()
	for {
		records := client.PollRecords(ctx, 200).Records()
		if len(records) == 0 {
			continue
		}
		ms := make([]outbox.Received, len(records))
		for i, r := range records {
			ms[i] = kafkasink.Message(r)
		}
		if err := w.take(ctx, ms); err != nil {
			return err
		}
		if err := client.CommitRecords(ctx, records...); err != nil {
			return err
		}
	}
}
