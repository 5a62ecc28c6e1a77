package rabbitsink

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// broker is the test's own connection, which bypasses every proxy.
type broker struct {
	t       testing.TB
	url     string
	conn    *amqp.Connection
	channel *amqp.Channel
}

func dialBroker(t testing.TB) *broker {
	t.Helper()
	b := &broker{t: t, url: testenv.URL(t, testenv.RabbitMQ)}
	b.connect()
	t.Cleanup(func() { _ = b.conn.Close() })
	return b
}

func (b *broker) connect() {
	b.t.Helper()
	var err error
	if b.conn, err = amqp.Dial(b.url); err != nil {
		b.t.Fatal(err)
	}
	if b.channel, err = b.conn.Channel(); err != nil {
		b.t.Fatal(err)
	}
}

func (b *broker) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func randomName(kind string) string { return "ob-" + kind + "-" + strings.ToLower(rand.Text()[:10]) }

// exchange declares a topic exchange for the test.
func (b *broker) exchange() string {
	b.t.Helper()
	name := randomName("exchange")
	b.must(b.channel.ExchangeDeclare(name, "topic", true, false, false, false, nil))
	b.t.Cleanup(func() { _ = b.channel.ExchangeDelete(name, false, false) })
	return name
}

// queue declares a durable queue, bound to the exchange if one is named.
func (b *broker) queue(exchange, key string, args amqp.Table) string {
	b.t.Helper()
	name := randomName("queue")
	_, err := b.channel.QueueDeclare(name, true, false, false, false, args)
	b.must(err)
	b.t.Cleanup(func() { _, _ = b.channel.QueueDelete(name, false, false, false) })
	if exchange != "" {
		b.must(b.channel.QueueBind(name, key, exchange, false, nil))
	}
	return name
}

// inbox collects what arrives in a queue.
type inbox struct {
	mu   sync.Mutex
	got  []amqp.Delivery
	more chan struct{}
}

func (b *broker) consume(queue string) *inbox {
	b.t.Helper()
	ch, err := b.conn.Channel()
	b.must(err)
	ds, err := ch.Consume(queue, "", true, false, false, false, nil)
	b.must(err)
	in := &inbox{more: make(chan struct{}, 1)}
	go func() {
		for d := range ds {
			in.mu.Lock()
			in.got = append(in.got, d)
			in.mu.Unlock()
			select {
			case in.more <- struct{}{}:
			default:
			}
		}
	}()
	b.t.Cleanup(func() { _ = ch.Close() })
	return in
}

// receive returns everything that has arrived, once there are n messages or
// wait is over.
func (in *inbox) receive(n int, wait time.Duration) []amqp.Delivery {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		in.mu.Lock()
		got := in.got[:len(in.got):len(in.got)]
		in.mu.Unlock()
		if len(got) >= n {
			return got
		}
		select {
		case <-in.more:
		case <-timer.C:
			return got
		}
	}
}

// awaitDifferent waits until n different messages have arrived, possibly with
// duplicates.
func (in *inbox) awaitDifferent(t testing.TB, n int) {
	t.Helper()
	await.Until(t, fmt.Sprintf("%d different messages arrive", n), func() bool {
		ids := map[string]bool{}
		for _, d := range in.receive(n, time.Second) {
			ids[d.MessageId] = true
		}
		return len(ids) == n
	})
}

// open opens a sink and closes it with the test.
func open(t testing.TB, cfg Config) *Sink {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// through returns the broker's URL with another address.
func through(t testing.TB, addr string) string {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.RabbitMQ))
	if err != nil {
		t.Fatal(err)
	}
	u.Host = addr
	return u.String()
}

func hostOf(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.RabbitMQ))
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

func message(destination, eventType string) outbox.Message {
	id := outbox.NewID()
	e := outbox.Event{Type: eventType, JSON: []byte(`{"n":1}`)}
	e.ID = id
	return outbox.Message{Event: e, Destination: destination, Headers: map[string]string{
		outbox.HeaderEventID: id, outbox.HeaderEventType: eventType,
	}}
}
