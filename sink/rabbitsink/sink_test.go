package rabbitsink

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/internal/testenv"
)

const patience = await.Patience

func TestTheEventTypeIsTheRoutingKey(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	created := b.consume(b.queue(exchange, "order-created", nil))
	paid := b.consume(b.queue(exchange, "order-paid", nil))
	s := open(t, Config{URL: b.url})

	delivered(t, s.Send(t.Context(), []outbox.Message{message(exchange, "order-paid"), message(exchange, "order-created")}))
	for want, in := range map[string]*inbox{"order-created": created, "order-paid": paid} {
		got := in.receive(1, patience)
		if len(got) != 1 || got[0].RoutingKey != want || got[0].Exchange != exchange {
			t.Errorf("queue of %s got %+v", want, got)
		}
	}
}

func TestAMessageIsPersistentAndSaysWhatItIs(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	in := b.consume(b.queue(exchange, "#", nil))
	s := open(t, Config{URL: b.url})
	m := message(exchange, "order-created")
	m.Event.OccurredAt = time.Unix(1_700_000_000, 0)
	m.Event.CorrelationID = "c-1"

	delivered(t, s.Send(t.Context(), []outbox.Message{m}))
	d := in.receive(1, patience)[0]
	if d.DeliveryMode != amqp.Persistent || d.MessageId != m.Event.ID || d.Type != "order-created" ||
		d.ContentType != "application/json" || d.CorrelationId != "c-1" || !d.Timestamp.Equal(m.Event.OccurredAt) {
		t.Errorf("got %+v", d)
	}
	if r := Message(d); r.EventID != m.Event.ID || r.EventType != "order-created" || string(r.Payload) != `{"n":1}` {
		t.Errorf("received %+v", r)
	}
}

func TestAnUnroutableMessageFailsAloneAlthoughTheBrokerConfirmsIt(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	in := b.consume(b.queue(exchange, "bound", nil))
	s := open(t, Config{URL: b.url})

	var batch []outbox.Message
	for i := range 2 * window {
		batch = append(batch, message(exchange, []string{"bound", "unbound"}[i%2]))
	}
	for i, err := range s.Send(t.Context(), batch) {
		if i%2 == 0 && err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		if i%2 == 1 {
			ownFailure(t, err, exchange, "unbound", "bind a queue")
		}
	}
	in.receive(window, patience)
	if got := in.receive(window+1, 200*time.Millisecond); len(got) != window {
		t.Errorf("%d arrived, want %d", len(got), window)
	}
}

func TestAFullQueueRefusesAndTheAttemptCounts(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	b.queue(exchange, "#", amqp.Table{"x-max-length": 1, "x-overflow": "reject-publish"})
	s := open(t, Config{URL: b.url})

	m := []outbox.Message{message(exchange, "a")}
	var err error
	await.Until(t, "the queue is full", func() bool { err = s.Send(t.Context(), m)[0]; return err != nil })
	ownFailure(t, err, "nack")
}

func TestADeletedExchangeFailsOnlyItsOwnMessages(t *testing.T) {
	b := dialBroker(t)
	gone, kept := b.exchange(), b.exchange()
	b.queue(gone, "#", nil)
	in := b.consume(b.queue(kept, "#", nil))
	s := open(t, Config{URL: b.url})
	delivered(t, s.Send(t.Context(), []outbox.Message{message(gone, "a"), message(kept, "a")}))
	b.must(b.channel.ExchangeDelete(gone, false, false))

	errs := s.Send(t.Context(), []outbox.Message{message(kept, "a"), message(gone, "a"), message(kept, "a"), message(gone, "a"), message(kept, "a")})
	for i, err := range errs {
		if i%2 == 0 && err != nil {
			t.Errorf("message %d: %v", i, err)
		}
		if i%2 == 1 {
			ownFailure(t, err, gone, "declare it")
		}
	}
	// What was published before the channel was closed may arrive twice.
	in.awaitDifferent(t, 4)
	b.must(b.channel.ExchangeDeclare(gone, "topic", true, false, false, false, nil))
	b.queue(gone, "#", nil)
	await.Until(t, "the exchange is found again", func() bool { return s.Send(t.Context(), []outbox.Message{message(gone, "a")})[0] == nil })
}

func TestAForbiddenExchangeFailsOnlyItsOwnMessages(t *testing.T) {
	b := dialBroker(t)
	kept, internal := b.exchange(), randomName("internal")
	b.must(b.channel.ExchangeDeclare(internal, "topic", true, false, true, false, nil))
	t.Cleanup(func() { _ = b.channel.ExchangeDelete(internal, false, false) })
	b.queue(kept, "#", nil)
	s := open(t, Config{URL: b.url})

	errs := s.Send(t.Context(), []outbox.Message{message(kept, "a"), message(internal, "a"), message(kept, "a")})
	delivered(t, []error{errs[0], errs[2]})
	ownFailure(t, errs[1], internal)
}

// RabbitMQ refuses text in the header CC and does not say which message had it.
func TestAnAnonymousRefusalFailsOnlyTheMessageThatCausedIt(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	in := b.consume(b.queue(exchange, "#", nil))
	s := open(t, Config{URL: b.url})
	poison := message(exchange, "a")
	poison.Headers["CC"] = "somebody"
	if err := s.Send(t.Context(), []outbox.Message{poison})[0]; !outbox.IsPermanent(err) {
		t.Errorf("got %v, want it to be permanent", err)
	}

	c, err := s.connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sent := &sending{conn: c, errs: make([]error, 5), unheard: make([]bool, 5)}
	for i := range sent.errs {
		m := message(exchange, "a")
		p, err := s.pack(&m, c.Config.FrameSize)
		if err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			p.Headers["CC"] = "somebody"
		}
		sent.parcels = append(sent.parcels, p)
	}
	if left, err := sent.publishAll(t.Context(), []int{0, 1, 2, 3, 4}); err != nil || len(left) > 0 {
		t.Fatalf("without an answer: %v, %v", left, err)
	}
	delivered(t, append(sent.errs[:2:2], sent.errs[3:]...))
	ownFailure(t, sent.errs[2], "PRECONDITION_FAILED")
	if sent.unheard[2] {
		t.Error("the refusal of the message counts as no answer")
	}
	in.awaitDifferent(t, 4)
}

func TestTheDefaultExchangeSendsToTheQueueOfTheDestination(t *testing.T) {
	b := dialBroker(t)
	queue := b.queue("", "", nil)
	in := b.consume(queue)
	s := open(t, Config{URL: b.url, DefaultExchange: true})

	errs := s.Send(t.Context(), []outbox.Message{message(queue, "a"), message("ob-no-such-queue", "a")})
	delivered(t, errs[:1])
	ownFailure(t, errs[1], "ob-no-such-queue", "declare it")
	if got := in.receive(1, patience); len(got) != 1 {
		t.Errorf("%d arrived", len(got))
	}
}

func TestAQueueThatIsAURLIsNamedWithoutItsSecrets(t *testing.T) {
	b := dialBroker(t)
	s := open(t, Config{URL: b.url, DefaultExchange: true})
	err := s.Send(t.Context(), []outbox.Message{message("https://us3r:p4ssword@host/hook?token=4711", "a")})[0]
	ownFailure(t, err, "declare it")
	for _, secret := range []string{"us3r", "p4ssword", "4711"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%q is in %v", secret, err)
		}
	}
}

func TestOversizedHeadersArePermanentAndCostNoConnection(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	b.queue(exchange, "#", nil)
	s := open(t, Config{URL: b.url})
	large, named := message(exchange, "a"), message(exchange, "a")
	large.Headers["large"] = strings.Repeat("x", 128<<10)
	named.Headers[strings.Repeat("n", 256)] = "x"
	long := message(exchange, strings.Repeat("é", 128))

	delivered(t, s.Send(t.Context(), []outbox.Message{message(exchange, "a")}))
	before, _ := s.current()
	errs := s.Send(t.Context(), []outbox.Message{large, message(exchange, "a"), named, long})
	delivered(t, errs[1:2])
	for _, i := range []int{0, 2, 3} {
		if !outbox.IsPermanent(errs[i]) {
			t.Errorf("message %d: %v, want it to be permanent", i, errs[i])
		}
	}
	if after, _ := s.current(); after != before {
		t.Error("the connection was lost")
	}
}

func TestABlockedWriteEndsAtTheDeadline(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	b.queue(exchange, "#", nil)
	proxy := faultproxy.New(t, hostOf(t))
	s := open(t, Config{URL: through(t, proxy.Addr()), Timeout: 10 * time.Minute})
	delivered(t, s.Send(t.Context(), []outbox.Message{message(exchange, "a")}))

	proxy.Hang()
	var batch []outbox.Message
	for range 64 { // more than all buffers in between hold
		m := message(exchange, "a")
		m.Event.JSON, m.Event.Bytes = nil, bytes.Repeat([]byte("x"), 200<<10)
		batch = append(batch, m)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	began := time.Now()
	for i, err := range s.Send(ctx, batch) {
		if !outbox.IsUnavailable(err) {
			t.Fatalf("message %d: %v, want it to be unavailable", i, err)
		}
	}
	if took := time.Since(began); took > patience {
		t.Errorf("took %s with a deadline of 1s", took)
	}
}

func TestAnotherNodeIsTriedWhenOneIsDown(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	b.queue(exchange, "#", nil)
	proxy := faultproxy.New(t, hostOf(t))
	proxy.Refuse()
	s := open(t, Config{URL: through(t, proxy.Addr()), Nodes: []string{b.url}})
	delivered(t, s.Send(t.Context(), []outbox.Message{message(exchange, "a")}))
}

func TestAWrongPasswordIsUnavailableAndNotShown(t *testing.T) {
	url := testenv.URL(t, testenv.RabbitMQ)
	s := open(t, Config{URL: url, Username: "guest", Password: "secret-4711"})
	err := s.Send(t.Context(), []outbox.Message{message("any", "a")})[0]
	if !outbox.IsUnavailable(err) || strings.Contains(err.Error(), "4711") {
		t.Errorf("got %v", err)
	}
	if err := s.Check(t.Context()); !outbox.IsUnavailable(err) {
		t.Errorf("the check says %v", err)
	}
}

func TestNothingIsLostWhenTheBrokerCrashes(t *testing.T) {
	server := testenv.Control(t, testenv.RabbitMQ)
	b := dialBroker(t)
	exchange := b.exchange()
	queue := b.queue(exchange, "#", nil)
	s := open(t, Config{URL: b.url})

	acknowledged := sinkrig.Acknowledged{}
	send := func() int {
		return acknowledged.Send(t, s, 200, func() outbox.Message { return message(exchange, "a") })
	}
	send()
	server.Crash()
	if n := send(); n != 0 {
		t.Fatalf("%d messages acknowledged by a broker that is gone", n)
	}
	server.Start()
	await.Until(t, "the broker takes messages again", func() bool { return send() == 200 })

	b.connect()
	in := b.consume(queue)
	await.Until(t, "what was acknowledged arrives", func() bool {
		left := len(acknowledged)
		seen := map[string]bool{}
		for _, d := range in.receive(left, time.Second) {
			if acknowledged[d.MessageId] && !seen[d.MessageId] {
				seen[d.MessageId] = true
				left--
			}
		}
		return left == 0
	})
}

func TestConfigErrorsSayWhatToDoAndShowNoPassword(t *testing.T) {
	for want, cfg := range map[string]Config{
		"set one":         {},
		"cannot be read":  {URL: "amqp://u:secret%zz@host/"},
		"AMQP scheme":     {URL: "http://u:secret@host/"},
		"write amqps":     {URL: "amqp://u:secret@host/", TLS: &tls.Config{MinVersion: tls.VersionTLS12}},
		"not be negative": {URL: "amqp://h/", Timeout: -1},
		"at least 1s":     {URL: "amqp://h/", Heartbeat: time.Millisecond},
	} {
		_, err := New(cfg)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v, want ...%s...", err, want)
		}
	}
}

func TestHeadersOfOtherClientsAreReadAsText(t *testing.T) {
	r := Message(amqp.Delivery{Body: []byte("b"), Headers: amqp.Table{
		"bytes": []byte("x"), "number": int32(7), "yes": true, "null": nil, "time": time.Unix(0, 0),
	}})
	want := map[string]string{"bytes": "x", "number": "7", "yes": "true", "null": "", "time": "1970-01-01T00:00:00Z"}
	if fmt.Sprint(r.Headers) != fmt.Sprint(want) || r.EventID != "" || string(r.Payload) != "b" {
		t.Errorf("got %+v", r)
	}
}

func delivered(t *testing.T, errs []error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

var ownFailure = sinkrig.OwnFailure
