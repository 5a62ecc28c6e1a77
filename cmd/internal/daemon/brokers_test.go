package daemon

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/logger"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// deliverTwo delivers two events with a sender and a topic. A broker that does
// not answer in time is asked again by the next round.
func deliverTwo(t *testing.T, sender, topic string) {
	t.Helper()
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	for round := 1; ; round++ {
		r := load(t, file, fmt.Sprintf("outbox: {publisher: {sender: %s, events: {a: {topic: %s}}}}", sender, topic))
		if round == 1 {
			r.insert("a", 2)
		}
		got := r.once()
		if got == "2 delivered" {
			return
		}
		late := got == "2 released" && strings.Contains(r.log.String(), "time")
		if t.Logf("round %d: %s\n%s", round, got, r.log); !late || round == 3 {
			t.Fatalf("got %s", got)
		}
	}
}

// dialRabbit allows for a machine that stands still.
func dialRabbit(t *testing.T, address string) *amqp.Connection {
	t.Helper()
	conn, err := amqp.DialConfig(address, amqp.Config{Heartbeat: time.Minute, Locale: "en_US", Dial: amqp.DefaultDial(patience)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func topicName() string { return "t" + strings.ToLower(rand.Text()[:10]) }

func TestRedisIsReachedThroughItsKeys(t *testing.T) {
	address := testenv.URL(t, testenv.Redis)
	o, err := redis.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(o)
	defer func() { _ = c.Close() }()
	topic := topicName()
	deliverTwo(t, fmt.Sprintf("{type: redis, url: %q, max-length: 1000}", address), topic)
	if n := c.XLen(t.Context(), topic).Val(); n != 2 {
		t.Errorf("%d entries", n)
	}
}

// A reliable topic is a ring buffer of that name.
func TestHazelcastIsReachedThroughItsKeys(t *testing.T) {
	u, err := url.Parse(testenv.URL(t, testenv.Hazelcast))
	if err != nil {
		t.Fatal(err)
	}
	topic := topicName()
	deliverTwo(t, fmt.Sprintf("{type: hazelcast, addresses: [%q], cluster-name: outbox, reliable: true}", u.Host), topic)
	var cfg hazelcast.Config
	cfg.Cluster.Name = "outbox"
	cfg.Cluster.Network.SetAddresses(u.Host)
	cfg.Logger.Level = logger.OffLevel
	c, err := hazelcast.StartNewClientWithConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Shutdown(context.Background()) }()
	ring, err := c.GetRingbuffer(t.Context(), "_hz_rb_"+topic)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := ring.Size(t.Context()); err != nil || n != 2 {
		t.Errorf("%d messages, %v", n, err)
	}
}

func TestNATSIsReachedThroughItsKeys(t *testing.T) {
	address := testenv.URL(t, testenv.NATS)
	nc, err := nats.Connect(address, nats.Timeout(patience))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	if err != nil {
		t.Fatal(err)
	}
	topic := topicName()
	stream, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: topic, Subjects: []string{topic}, Storage: jetstream.MemoryStorage})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = js.DeleteStream(context.Background(), topic) }()
	deliverTwo(t, fmt.Sprintf("{type: nats, url: %q}", address), topic)
	if info, err := stream.Info(t.Context()); err != nil || info.State.Msgs != 2 {
		t.Errorf("%+v %v", info, err)
	}
}

func TestRabbitMQIsReachedThroughItsKeys(t *testing.T) {
	address := testenv.URL(t, testenv.RabbitMQ)
	ch, err := dialRabbit(t, address).Channel()
	if err != nil {
		t.Fatal(err)
	}
	// The exchange is the topic, and the routing key the event type.
	topic := topicName()
	if err := ch.ExchangeDeclare(topic, "topic", false, true, false, false, nil); err != nil {
		t.Fatal(err)
	}
	q, err := ch.QueueDeclare("", false, true, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ch.QueueBind(q.Name, "a", topic, false, nil); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	user := u.User.Username()
	password, _ := u.User.Password()
	u.User = nil
	deliverTwo(t, fmt.Sprintf("{type: rabbit_mq, url: %q, username: %q, password: %q}", u, user, password), topic)
	if q, err = ch.QueueDeclarePassive(q.Name, false, true, true, false, nil); err != nil || q.Messages != 2 {
		t.Errorf("%d messages, %v", q.Messages, err)
	}
}

func TestTheDefaultExchangeOfRabbitMQReachesAQueue(t *testing.T) {
	address := testenv.URL(t, testenv.RabbitMQ)
	ch, err := dialRabbit(t, address).Channel()
	if err != nil {
		t.Fatal(err)
	}
	topic := topicName()
	if _, err := ch.QueueDeclare(topic, false, true, false, false, nil); err != nil {
		t.Fatal(err)
	}
	deliverTwo(t, fmt.Sprintf("{type: rabbit_mq, url: %q, default-exchange: true}", address), topic)
	if n, err := ch.QueueDelete(topic, false, false, false); err != nil || n != 2 {
		t.Errorf("%d messages, %v", n, err)
	}
}

func TestKafkaIsReachedThroughItsKeys(t *testing.T) {
	k := openKafka(t)
	topic := k.topic(t)
	deliverTwo(t, fmt.Sprintf("{type: kafka, brokers: [%s]}", k.broker), topic)
	if end, err := k.end(t, topic); err != nil || end != 2 {
		t.Errorf("the topic ends at %d, error %v", end, err)
	}
}
