//go:build !race

package e2e

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/rabbitsink"
)

// rabbit is an exchange with two queues that get the same messages: one for the
// consumers, and one that keeps everything.
type rabbit struct {
	address, exchange string
	// detour is another address for the relay, and bound what it allows a send.
	detour string
	bound  time.Duration
}

func (r *rabbit) work() string { return r.exchange + ".work" }
func (r *rabbit) all() string  { return r.exchange + ".all" }

func openRabbit(t *testing.T) *rabbit {
	t.Helper()
	r := &rabbit{address: testenv.URL(t, testenv.RabbitMQ), exchange: "orders-" + strings.ToLower(outbox.NewID())}
	r.do(t, func(ch *amqp.Channel) {
		must(t, ch.ExchangeDeclare(r.exchange, "topic", true, false, false, false, nil))
		for _, queue := range []string{r.work(), r.all()} {
			_, err := ch.QueueDeclare(queue, true, false, false, false, nil)
			must(t, err)
			must(t, ch.QueueBind(queue, "#", r.exchange, false, nil))
		}
	})
	t.Cleanup(func() {
		r.do(t, func(ch *amqp.Channel) {
			for _, queue := range []string{r.work(), r.all()} {
				_, err := ch.QueueDelete(queue, false, false, false)
				must(t, err)
			}
			must(t, ch.ExchangeDelete(r.exchange, false, false))
		})
	})
	return r
}

// do calls f with a channel of its own.
func (r *rabbit) do(t *testing.T, f func(ch *amqp.Channel)) {
	t.Helper()
	conn, err := dialRabbit(r.address)
	must(t, err)
	defer func() { _ = conn.Close() }()
	ch, err := conn.Channel()
	must(t, err)
	f(ch)
}

// dialRabbit allows for a machine that stands still.
func dialRabbit(address string) (*amqp.Connection, error) {
	return amqp.DialConfig(address, amqp.Config{Heartbeat: time.Minute, Locale: "en_US", Dial: amqp.DefaultDial(time.Minute)})
}

func (r *rabbit) sender() string {
	return fmt.Sprintf("{type: rabbit_mq, url: %q, emergency-timeout: %s}", cmp.Or(r.detour, r.address), cmp.Or(r.bound, 2*time.Minute))
}

// through leads the relay through a proxy that can break the connection.
func (r *rabbit) through(t *testing.T, bound time.Duration) *faultproxy.Proxy {
	t.Helper()
	u, err := url.Parse(r.address)
	must(t, err)
	p := faultproxy.New(t, u.Host)
	u.Host = p.Addr()
	r.detour, r.bound = u.String(), bound
	return p
}

func (r *rabbit) topic() string { return r.exchange }

func (r *rabbit) consumer() consumerConfig {
	return consumerConfig{Broker: "rabbitmq", Address: r.address, From: r.work()}
}

// arrived is how many messages were sent so far.
func (r *rabbit) arrived(t *testing.T) (n int) {
	t.Helper()
	r.do(t, func(ch *amqp.Channel) {
		q, err := ch.QueueDeclarePassive(r.all(), true, false, false, false, nil)
		must(t, err)
		n = q.Messages
	})
	return n
}

// wire empties the queue that has all.
func (r *rabbit) wire(t *testing.T) (ids []string) {
	t.Helper()
	r.do(t, func(ch *amqp.Channel) {
		q, err := ch.QueueDeclarePassive(r.all(), true, false, false, false, nil)
		must(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		in, err := ch.ConsumeWithContext(ctx, r.all(), "", true, false, false, false, nil)
		must(t, err)
		for len(ids) < q.Messages {
			d, ok := <-in
			if !ok {
				t.Fatalf("the queue says it has %d messages, and gave %d", q.Messages, len(ids))
			}
			ids = append(ids, rabbitsink.Message(d).EventID)
		}
	})
	return ids
}

// consumeRabbit acknowledges after the effect. Messages that a broken
// connection has not acknowledged come again.
func consumeRabbit(w *worker) error {
	conn, err := dialRabbit(w.Address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	if err := ch.Qos(200, 0, false); err != nil {
		return err
	}
	ctx := context.Background()
	in, err := ch.ConsumeWithContext(ctx, w.From, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for {
		batch := next(in, 100)
		if len(batch) == 0 {
			return errors.New("the connection broke")
		}
		ms := make([]outbox.Received, len(batch))
		for i, d := range batch {
			ms[i] = rabbitsink.Message(d)
		}
		if err := w.take(ctx, ms); err != nil {
			return err
		}
		if err := batch[len(batch)-1].Ack(true); err != nil {
			return err
		}
	}
}

// next waits for one delivery and also takes those that are already there.
func next(in <-chan amqp.Delivery, most int) (batch []amqp.Delivery) {
	d, ok := <-in
	for ok {
		batch = append(batch, d)
		if len(batch) == most {
			break
		}
		select {
		case d, ok = <-in:
		default:
			ok = false
		}
	}
	return batch
}
