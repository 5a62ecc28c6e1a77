package natssink_test

import (
	"context"
	"fmt"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/natssink"
	"github.com/sendoff-go/outbox/sinktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = await.Patience

// server is the address of the server.
func server(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.NATS))
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

var streams atomic.Int64

// newSubject creates a stream for the test and returns its name, which is also
// its subject.
func newSubject(t testing.TB, change func(*jetstream.StreamConfig)) string {
	t.Helper()
	name := fmt.Sprintf("test-%d-%d", time.Now().UnixNano(), streams.Add(1))
	cfg := jetstream.StreamConfig{Name: name, Subjects: []string{name}}
	if change != nil {
		change(&cfg)
	}
	administer(t, func(ctx context.Context, js jetstream.JetStream) error {
		_, err := js.CreateStream(ctx, cfg)
		return err
	})
	t.Cleanup(func() {
		administer(t, func(ctx context.Context, js jetstream.JetStream) error { return js.DeleteStream(ctx, name) })
	})
	return name
}

// administer calls f with a client and then closes it.
func administer(t testing.TB, f func(ctx context.Context, js jetstream.JetStream) error) {
	t.Helper()
	nc, err := nats.Connect("nats://" + server(t))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := f(ctx, js); err != nil {
		t.Fatal(err)
	}
}

// consumer reads a stream from its beginning. It connects when it is first used.
type consumer struct {
	t      testing.TB
	stream string
	c      jetstream.Consumer
	got    []sinktest.Arrival
}

func consume(t testing.TB, stream string) *consumer { return &consumer{t: t, stream: stream} }

func (c *consumer) connect() {
	c.t.Helper()
	nc, err := nats.Connect("nats://" + server(c.t))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.c, err = js.CreateConsumer(c.t.Context(), c.stream, jetstream.ConsumerConfig{AckPolicy: jetstream.AckNonePolicy}); err != nil {
		c.t.Fatal(err)
	}
}

// receive returns everything that has arrived, once there are n messages or the
// time is over.
func (c *consumer) receive(n int, wait time.Duration) []sinktest.Arrival {
	if c.c == nil {
		c.connect()
	}
	for deadline := time.Now().Add(wait); len(c.got) < n; {
		left := time.Until(deadline)
		if left <= 0 {
			break
		}
		batch, err := c.c.Fetch(min(n-len(c.got), 500), jetstream.FetchMaxWait(max(left, 10*time.Millisecond)))
		if err != nil {
			c.t.Fatal(err)
		}
		for m := range batch.Messages() {
			c.got = append(c.got, sinktest.Arrival{Received: natssink.Message(m)})
		}
	}
	return c.got
}

// settled returns n messages, and any that arrive within a second after.
func (c *consumer) settled(n int) []sinktest.Arrival {
	c.receive(n, patience)
	return c.receive(n+1, time.Second)
}

// open opens a sink and closes it with the test.
func open(t testing.TB, cfg natssink.Config) *natssink.Sink {
	t.Helper()
	if cfg.URL == "" {
		cfg.URL = "nats://" + server(t)
	}
	s, err := natssink.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// message is a message to a subject.
func message(subject, text string) outbox.Message {
	id := outbox.NewID()
	return outbox.Message{
		Event:       outbox.Event{ID: id, Type: "T", Bytes: []byte(text)},
		Destination: subject, Headers: map[string]string{outbox.HeaderEventID: id, outbox.HeaderEventType: "T"},
	}
}

// Helpers that the tests of all broker sinks share.
var (
	send, mustSend = sinkrig.Send, sinkrig.MustSend
	contains       = sinkrig.Says
	eventually     = await.Until
)
