package daemon

import (
	"errors"
	"net/url"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// kafka is the cluster of the tests.
type kafka struct {
	broker string
	admin  *kadm.Client
}

func openKafka(t *testing.T) *kafka {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.Kafka))
	if err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(u.Host))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &kafka{u.Host, kadm.NewClient(client)}
}

// topic makes one with one partition, and waits until that takes records: the server
// answers before.
func (k *kafka) topic(t *testing.T) string {
	t.Helper()
	topic := topicName()
	if _, err := k.admin.CreateTopic(t.Context(), 1, 1, nil, topic); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the partition of the topic is there", func() bool { _, err := k.end(t, topic); return err == nil })
	return topic
}

// end is how many records a topic has had.
func (k *kafka) end(t *testing.T, topic string) (int64, error) {
	t.Helper()
	ends, err := k.admin.ListEndOffsets(t.Context(), topic)
	if err != nil {
		return 0, err
	}
	end, found := ends.Lookup(topic, 0)
	if !found {
		return 0, errors.Join(errors.New("it has no partition yet"), ends.Error())
	}
	return end.Offset, end.Err
}
