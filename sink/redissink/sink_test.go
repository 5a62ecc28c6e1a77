package redissink

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sinktest"
)

const patience = await.Patience

func TestSink(t *testing.T) { sinktest.Run(t, subject) }

// subject opens a sink behind a proxy with a stream of its own.
func subject(t testing.TB) sinktest.Subject {
	client := dial(t)
	stream := newStream(t, client)
	u := address(t)
	proxy := faultproxy.New(t, u.Host)
	u.Host = proxy.Addr()
	cfg := Config{URL: u.String(), RequireStream: true}
	hasty := cfg
	hasty.Timeout = 3 * time.Second
	return sinktest.Subject{
		Sink: open(t, cfg), Destination: stream, Faults: proxy,
		SendTimeout: hasty.Timeout, Hasty: func(t testing.TB) outbox.Sink { return open(t, hasty) }, Unroutable: "ob:no-such-stream",
		Reopen: func(t testing.TB) outbox.Sink { return open(t, cfg) },
		Receive: func(n int, wait time.Duration) []sinktest.Arrival {
			var as []sinktest.Arrival
			for _, x := range receive(t, client, stream, n, wait) {
				as = append(as, sinktest.Arrival{Received: Message(x)})
			}
			return as
		},
	}
}

func address(t testing.TB) *url.URL {
	t.Helper()
	u, err := url.Parse(testenv.URL(t, testenv.Redis))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func dial(t testing.TB) *redis.Client {
	t.Helper()
	o, err := redis.ParseURL(testenv.URL(t, testenv.Redis))
	if err != nil {
		t.Fatal(err)
	}
	return unhurried(t, o)
}

// unhurried is a client of the test that gives up later than a busy machine stands
// still. One that gave up would repeat its call, which may have been heard.
func unhurried(t testing.TB, o *redis.Options) *redis.Client {
	t.Helper()
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = patience, patience, patience, patience
	client := redis.NewClient(o)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// newStream creates an empty stream.
func newStream(t testing.TB, client *redis.Client) string {
	t.Helper()
	name := "ob:" + strings.ToLower(rand.Text()[:10])
	if err := client.XGroupCreateMkStream(t.Context(), name, "group", "$").Err(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Del(context.Background(), name) })
	return name
}

// receive returns all entries, once there are n or wait is over.
func receive(t testing.TB, client *redis.Client, stream string, n int, wait time.Duration) []redis.XMessage {
	t.Helper()
	deadline := time.Now().Add(wait)
	for {
		xs, err := client.XRange(context.Background(), stream, "-", "+").Result()
		if err != nil {
			t.Fatal(err)
		}
		left := time.Until(deadline)
		if len(xs) >= n || left <= 0 {
			return xs
		}
		last := "0"
		if len(xs) > 0 {
			last = xs[len(xs)-1].ID
		}
		err = client.XRead(context.Background(), &redis.XReadArgs{Streams: []string{stream, last}, Block: max(left, time.Millisecond)}).Err()
		var slow net.Error // the client waits no more than ten seconds longer than the server
		if err != nil && !errors.Is(err, redis.Nil) && !(errors.As(err, &slow) && slow.Timeout()) {
			t.Fatal(err)
		}
	}
}

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

func message(stream string) outbox.Message {
	e := outbox.Event{Type: "a", JSON: []byte(`{"n":1}`)}
	e.ID = outbox.NewID()
	return outbox.Message{Event: e, Destination: stream, Headers: map[string]string{outbox.HeaderEventID: e.ID, outbox.HeaderEventType: "a"}}
}

func TestAStreamIsCreatedByItsFirstMessage(t *testing.T) {
	client := dial(t)
	name := "ob:" + strings.ToLower(rand.Text()[:10])
	t.Cleanup(func() { client.Del(context.Background(), name) })
	s := open(t, Config{URL: testenv.URL(t, testenv.Redis)})
	if err := s.Send(t.Context(), []outbox.Message{message(name)})[0]; err != nil {
		t.Fatal(err)
	}
	if xs := receive(t, client, name, 1, patience); len(xs) != 1 {
		t.Errorf("%d entries", len(xs))
	}
}

func TestAStreamIsTrimmedToAboutItsLength(t *testing.T) {
	client := dial(t)
	stream := newStream(t, client)
	s := open(t, Config{URL: testenv.URL(t, testenv.Redis), MaxLen: 100})
	for range 10 {
		var batch []outbox.Message
		for range 100 {
			batch = append(batch, message(stream))
		}
		if err := errors.Join(s.Send(t.Context(), batch)...); err != nil {
			t.Fatal(err)
		}
	}
	if n := client.XLen(t.Context(), stream).Val(); n < 100 || n > 300 {
		t.Errorf("%d entries, want about 100", n)
	}
}

func TestAKeyThatIsNotAStreamFailsOnlyItsOwnMessages(t *testing.T) {
	client := dial(t)
	stream, text := newStream(t, client), "ob:"+strings.ToLower(rand.Text()[:10])
	if err := client.Set(t.Context(), text, "x", time.Minute).Err(); err != nil {
		t.Fatal(err)
	}
	s := open(t, Config{URL: testenv.URL(t, testenv.Redis)})
	errs := s.Send(t.Context(), []outbox.Message{message(stream), message(text), message(stream)})
	if errs[0] != nil || errs[2] != nil {
		t.Errorf("got %v", errs)
	}
	ownFailure(t, errs[1], text, "not a stream")
}

func TestAMissingPermissionIsAFailureAndAWrongPasswordAnOutage(t *testing.T) {
	client := dial(t)
	stream, user := newStream(t, client), "ob-"+strings.ToLower(rand.Text()[:10])
	if err := client.Do(t.Context(), "ACL", "SETUSER", user, "on", ">pw", "~ob:none", "+@all").Err(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Do(context.Background(), "ACL", "DELUSER", user) })
	s := open(t, Config{URL: testenv.URL(t, testenv.Redis), Username: user, Password: "pw"})
	ownFailure(t, s.Send(t.Context(), []outbox.Message{message(stream)})[0], stream, "grant")

	s = open(t, Config{URL: testenv.URL(t, testenv.Redis), Username: user, Password: "secret-4711"})
	err := s.Send(t.Context(), []outbox.Message{message(stream)})[0]
	if !outbox.IsUnavailable(err) || strings.Contains(err.Error(), "4711") {
		t.Errorf("got %v", err)
	}
	if err := s.Check(t.Context()); !outbox.IsUnavailable(err) {
		t.Errorf("the check says %v", err)
	}
}

func TestAReplicaIsUnavailableAndFailsTheCheck(t *testing.T) {
	testenv.Control(t, testenv.Redis)
	client := dial(t)
	stream := newStream(t, client)
	s := open(t, Config{URL: testenv.URL(t, testenv.Redis)})
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := client.ReplicaOf(t.Context(), "127.0.0.1", "1").Err(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.ReplicaOf(context.Background(), "NO", "ONE") })
	if err := s.Send(t.Context(), []outbox.Message{message(stream)})[0]; !outbox.IsUnavailable(err) {
		t.Errorf("got %v", err)
	}
	if err := s.Check(t.Context()); !outbox.IsUnavailable(err) {
		t.Errorf("the check says %v", err)
	}
}

func TestMessagesBehindARefusedOneAreNotSent(t *testing.T) {
	testenv.Control(t, testenv.Redis)
	client := dial(t)
	stream := newStream(t, client)
	s := open(t, Config{URL: testenv.URL(t, testenv.Redis)})
	if err := client.ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	batch := []outbox.Message{message(stream), message(stream), message(stream)}
	batch[0].Key, batch[1].Key, batch[2].Key = "a", "a", "b"
	errs := s.Send(t.Context(), batch)
	for i, err := range errs {
		if behind := strings.Contains(fmt.Sprint(err), "earlier message of its key"); !outbox.IsUnavailable(err) || behind != (i == 1) {
			t.Errorf("message %d: %v", i, err)
		}
	}
}

func TestNothingIsLostWhenTheServerCrashes(t *testing.T) {
	server := testenv.Control(t, testenv.Redis)
	client := dial(t)
	stream := newStream(t, client)
	s := open(t, Config{URL: testenv.URL(t, testenv.Redis)})
	acknowledged := sinkrig.Acknowledged{}
	send := func() int {
		return acknowledged.Send(t, s, 200, func() outbox.Message { return message(stream) })
	}
	send()
	server.Crash()
	if n := send(); n != 0 {
		t.Fatalf("%d messages acknowledged by a server that is gone", n)
	}
	server.Start()
	await.Until(t, "the server takes messages again", func() bool { return send() > 0 })
	for _, x := range receive(t, client, stream, len(acknowledged), patience) {
		delete(acknowledged, Message(x).EventID)
	}
	if len(acknowledged) > 0 {
		t.Errorf("%d acknowledged messages are gone", len(acknowledged))
	}
}

func TestTheCallersClientStaysOpen(t *testing.T) {
	client := dial(t)
	stream := newStream(t, client)
	s, err := New(Config{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), []outbox.Message{message(stream)})[0]; err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), []outbox.Message{message(stream)})[0]; !outbox.IsUnavailable(err) {
		t.Errorf("after Close: %v", err)
	}
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Errorf("the client: %v", err)
	}
}

func TestAHeaderNamedLikeThePayloadIsPermanent(t *testing.T) {
	s := open(t, Config{URL: "redis://127.0.0.1:1/0"})
	m := message("any")
	m.Headers[FieldPayload] = "x"
	if err := s.Send(t.Context(), []outbox.Message{m})[0]; !outbox.IsPermanent(err) {
		t.Errorf("got %v", err)
	}
}

func TestConfigErrorsSayWhatToDoAndShowNoPassword(t *testing.T) {
	unused := redis.NewClient(&redis.Options{})
	defer func() { _ = unused.Close() }()
	for want, cfg := range map[string]Config{
		"set URL":         {},
		"cannot be read":  {URL: "redis://u:secret%zz@host/"},
		"write rediss":    {URL: "redis://u:secret@host/", TLS: &tls.Config{MinVersion: tls.VersionTLS12}},
		"set one of them": {URL: "redis://host/", Addrs: []string{"host:1"}},
		"not be negative": {URL: "redis://host/", MaxLen: -1},
		"to the client":   {Client: unused, Password: "secret"},
	} {
		_, err := New(cfg)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v, want ...%s...", err, want)
		}
	}
}

var ownFailure = sinkrig.OwnFailure

func BenchmarkSend(b *testing.B) {
	client := dial(b)
	stream := newStream(b, client)
	s := open(b, Config{URL: testenv.URL(b, testenv.Redis), MaxLen: 10_000})
	var batch []outbox.Message
	for range 500 {
		batch = append(batch, message(stream))
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := errors.Join(s.Send(b.Context(), batch)...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(batch))/b.Elapsed().Seconds(), "events/s")
}
