package kafkasink_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/kafkasink"
	"github.com/sendoff-go/outbox/sinktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = await.Patience

// broker is the address of the server.
func broker(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.Kafka))
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// administer calls f with a client and then closes it.
func administer(t testing.TB, f func(ctx context.Context, adm *kadm.Client) error) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := f(ctx, kadm.NewClient(client)); err != nil {
		t.Fatal(err)
	}
}

var topics atomic.Int64

// newTopic creates a topic of its own for the test.
func newTopic(t testing.TB, partitions int32, config map[string]string) string {
	t.Helper()
	topic := fmt.Sprintf("test-%d-%d", time.Now().UnixNano(), topics.Add(1))
	createTopic(t, topic, partitions, config)
	return topic
}

// createTopic creates a topic and waits until its partitions take records: the
// server answers before.
func createTopic(t testing.TB, topic string, partitions int32, config map[string]string) {
	t.Helper()
	settings := map[string]*string{}
	for k, v := range config {
		settings[k] = &v
	}
	administer(t, func(ctx context.Context, adm *kadm.Client) error {
		if _, err := adm.CreateTopic(ctx, partitions, 1, settings, topic); err != nil {
			return err
		}
		eventually(t, "the partitions of the topic are there", func() bool {
			offsets, err := adm.ListEndOffsets(ctx, topic)
			return err == nil && offsets.Error() == nil && len(offsets[topic]) == int(partitions)
		})
		return nil
	})
}

// consumer reads a topic from its beginning. It connects when it is first used.
type consumer struct {
	t      testing.TB
	topic  string
	client *kgo.Client
	got    []*kgo.Record
}

func consume(t testing.TB, topic string) *consumer { return &consumer{t: t, topic: topic} }

func (c *consumer) connect() {
	c.t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker(c.t)), kgo.ConsumeTopics(c.topic), kgo.FetchMaxWait(100*time.Millisecond))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(client.Close)
	c.client = client
}

// records returns all records so far, once there are n or the time is over.
func (c *consumer) records(n int, wait time.Duration) []*kgo.Record {
	if c.client == nil {
		c.connect()
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), wait)
	defer cancel()
	for len(c.got) < n && ctx.Err() == nil {
		c.got = append(c.got, c.client.PollFetches(ctx).Records()...)
	}
	return c.got
}

func (c *consumer) receive(n int, wait time.Duration) []sinktest.Arrival {
	var as []sinktest.Arrival
	for _, r := range c.records(n, wait) {
		as = append(as, sinktest.Arrival{Received: kafkasink.Message(r), Key: string(r.Key)})
	}
	return as
}

// through dials the proxy for every broker.
func through(p *faultproxy.Proxy) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, p.Addr())
	}
}

// open opens a sink and closes it with the test.
func open(t testing.TB, cfg kafkasink.Config) *kafkasink.Sink {
	t.Helper()
	if cfg.Brokers == nil {
		cfg.Brokers = []string{broker(t)}
	}
	s, err := kafkasink.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// message is a message to a topic.
func message(topic, key, text string) outbox.Message {
	id := outbox.NewID()
	return outbox.Message{
		Event:       outbox.Event{ID: id, Type: "T", Bytes: []byte(text)},
		Destination: topic, Key: key, Headers: map[string]string{outbox.HeaderEventID: id, outbox.HeaderEventType: "T"},
	}
}

// Helpers that the tests of all broker sinks share.
var (
	send, mustSend = sinkrig.Send, sinkrig.MustSend
	contains       = sinkrig.Says
	eventually     = await.Until
)
