package natssink_test

import (
	"context"
	"errors"
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

// noStore is the answer if the server was removing the folder of all streams, since
// another test had deleted the last one, while it made one for a new stream.
const noStore = 10049

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
		for {
			_, err := js.CreateStream(ctx, cfg)
			if api := (*jetstream.APIError)(nil); !errors.As(err, &api) || api.ErrorCode != noStore || ctx.Err() != nil {
				return err
			}
		}
	})
	t.Cleanup(func() {
		administer(t, func(ctx context.Context, js jetstream.JetStream) error { return js.DeleteStream(ctx, name) })
	})
	return name
}

// dial connects a client of the test. The library gives a server two seconds to
// answer, which a busy machine may not have.
func dial(t testing.TB, url string, options ...nats.Option) (nc *nats.Conn) {
	t.Helper()
	eventually(t, "the server lets the test connect", func() bool {
		var err error
		if nc, err = nats.Connect(url, options...); err != nil {
			t.Log(err)
		}
		return err == nil
	})
	return nc
}

// streamsOf is JetStream on a connection of the test.
func streamsOf(t testing.TB, nc *nats.Conn) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// administer calls f with a client and then closes it.
func administer(t testing.TB, f func(ctx context.Context, js jetstream.JetStream) error) {
	t.Helper()
	nc := dial(t, "nats://"+server(t))
	defer nc.Close()
	js := streamsOf(t, nc)
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
	nc := dial(c.t, "nats://"+server(c.t))
	c.t.Cleanup(nc.Close)
	// By default the server drops a consumer that asks for nothing for five seconds.
	cfg := jetstream.ConsumerConfig{AckPolicy: jetstream.AckNonePolicy, InactiveThreshold: time.Hour}
	var err error
	if c.c, err = streamsOf(c.t, nc).CreateConsumer(c.t.Context(), c.stream, cfg); err != nil {
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
