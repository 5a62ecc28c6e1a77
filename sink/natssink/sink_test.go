package natssink_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/natssink"
)

func TestAnEventSentAgainIsDroppedByTheServer(t *testing.T) {
	subject := newSubject(t, nil)
	s := open(t, natssink.Config{})
	m := message(subject, "x")
	mustSend(t, s, m)
	mustSend(t, s, m, message(subject, "y"))
	got := consume(t, subject).settled(2)
	if len(got) != 2 {
		t.Fatalf("%d messages arrived, expected 2", len(got))
	}
}

func TestTheWindowMayBeSmallerThanABatch(t *testing.T) {
	subject := newSubject(t, nil)
	s := open(t, natssink.Config{Window: 3})
	var ms []outbox.Message
	for i := range 200 {
		ms = append(ms, message(subject, fmt.Sprint(i)))
	}
	mustSend(t, s, ms...)
	mustSend(t, s, ms...) // every slot was released
	for i, a := range consume(t, subject).receive(200, patience) {
		if string(a.Payload) != fmt.Sprint(i) {
			t.Fatalf("message %d is %s", i, a.Payload)
		}
	}
}

func TestTheWindowIsReleasedAfterAnOutage(t *testing.T) {
	subject := newSubject(t, nil)
	p := faultproxy.New(t, server(t))
	s := open(t, natssink.Config{URL: "nats://" + p.Addr(), Window: 4})
	mustSend(t, s, message(subject, "x"))
	for _, fault := range []func(){p.Mute, p.Cut} {
		fault()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		for range 3 {
			_ = s.Send(ctx, []outbox.Message{message(subject, "a"), message(subject, "b"), message(subject, "c"), message(subject, "d"), message(subject, "e")})
		}
		cancel()
		p.Pass()
		eventually(t, "it delivers again", func() bool { return send(t, s, message(subject, "x"))[0] == nil })
	}
	mustSend(t, s, message(subject, "a"), message(subject, "b"), message(subject, "c"), message(subject, "d"), message(subject, "e"))
}

func TestASubjectWithoutAStreamSaysWhatToDo(t *testing.T) {
	s := open(t, natssink.Config{})
	err := send(t, s, message("nobody.listens", "x"))[0]
	if outbox.IsPermanent(err) || outbox.IsUnavailable(err) {
		t.Errorf("a missing stream is a failure that counts: %v", err)
	}
	contains(t, err, "create one")
}

// A subscriber that is not a stream must not pass for one.
func TestAnAnswerThatIsNotFromAStreamIsAFailure(t *testing.T) {
	nc := dial(t, "nats://"+server(t))
	defer nc.Close()
	if _, err := nc.Subscribe("echo.me", func(m *nats.Msg) { _ = m.Respond([]byte("thanks")) }); err != nil {
		t.Fatal(err)
	}
	if err := nc.FlushTimeout(patience); err != nil {
		t.Fatal(err)
	}
	if err := send(t, open(t, natssink.Config{}), message("echo.me", "x"))[0]; err == nil {
		t.Error("it counted as delivered")
	}
}

func TestAStreamsOwnLimitIsPermanent(t *testing.T) {
	subject := newSubject(t, func(c *jetstream.StreamConfig) { c.MaxMsgSize = 1000 })
	errs := send(t, open(t, natssink.Config{}), message(subject, "x"), message(subject, strings.Repeat("x", 5000)), message(subject, "y"))
	if errs[0] != nil || !outbox.IsPermanent(errs[1]) || errs[2] != nil {
		t.Errorf("answers %v", errs)
	}
	contains(t, errs[1], "5000 bytes")
}

func TestAFullStreamIsUnavailable(t *testing.T) {
	subject := newSubject(t, func(c *jetstream.StreamConfig) { c.MaxMsgs, c.Discard = 1, jetstream.DiscardNew })
	s := open(t, natssink.Config{})
	mustSend(t, s, message(subject, "x"))
	if err := send(t, s, message(subject, "y"))[0]; !outbox.IsUnavailable(err) {
		t.Errorf("a stream that has no room now: %v", err)
	}
	administer(t, func(ctx context.Context, js jetstream.JetStream) error {
		stream, err := js.Stream(ctx, subject)
		if err != nil {
			return err
		}
		return stream.Purge(ctx)
	})
	mustSend(t, s, message(subject, "z"))
}

func TestACommandToTheServerIsPermanent(t *testing.T) {
	subject := newSubject(t, nil)
	s := open(t, natssink.Config{})
	mustSend(t, s, message(subject, "kept"))
	purge := message(subject, "x")
	purge.Headers["Nats-Rollup"] = "all"
	errs := send(t, s, purge,
		message("$JS.API.STREAM.DELETE."+subject, "x"), message("", "x"), message("a b", "x"), message("a..b", "x"), message("a.*", "x"), message(">", "x"))
	for i, err := range errs {
		if !outbox.IsPermanent(err) {
			t.Errorf("message %d: %v", i, err)
		}
	}
	if got := consume(t, subject).receive(1, patience); len(got) != 1 || string(got[0].Payload) != "kept" {
		t.Errorf("the stream has %v", got)
	}
}

func TestARestartOfTheServerLosesNothing(t *testing.T) {
	control := testenv.Control(t, testenv.NATS)
	subject := newSubject(t, nil)
	s := open(t, natssink.Config{})
	first, second := message(subject, "first"), message(subject, "second")
	mustSend(t, s, first)
	control.Crash()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if err := s.Send(ctx, []outbox.Message{second})[0]; !outbox.IsUnavailable(err) {
		t.Errorf("while the server was down: %v", err)
	}
	if s.Check(t.Context()) == nil {
		t.Error("the check passed while the server was down")
	}
	control.Start()
	eventually(t, "the check passes", func() bool { return s.Check(t.Context()) == nil })
	eventually(t, "the server takes messages again", func() bool { return send(t, s, second)[0] == nil })
	got := consume(t, subject).settled(2)
	if len(got) != 2 || got[0].EventID != first.Event.ID || got[1].EventID != second.Event.ID {
		t.Errorf("arrived %v", got)
	}
}

// A server that accepts connections and stays silent must not block New.
func TestASinkNeedsNoServerToBeOpened(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	for _, address := range []string{"127.0.0.1:1", silent.Addr().String()} {
		start := time.Now()
		s := open(t, natssink.Config{URL: "nats://" + address, DialTimeout: 10 * patience})
		if took := time.Since(start); took > patience {
			t.Errorf("New took %s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Send(ctx, []outbox.Message{message("a", "x")})[0]; !outbox.IsUnavailable(err) {
			t.Errorf("answer %v", err)
		}
	}
}

func TestASinkLeavesTheCallersConnectionOpen(t *testing.T) {
	subject := newSubject(t, nil)
	nc := dial(t, "nats://"+server(t))
	defer nc.Close()
	s, err := natssink.New(natssink.Config{Client: nc})
	if err != nil {
		t.Fatal(err)
	}
	mustSend(t, s, message(subject, "x"))
	if err := errors.Join(s.Close(), s.Close(), nc.FlushTimeout(patience)); err != nil {
		t.Error(err)
	}
	if n := nc.NumSubscriptions(); n != 0 {
		t.Errorf("%d subscriptions were left", n)
	}
}

func TestAMessageWithoutHeadersHasNoEventID(t *testing.T) {
	m := natssink.CoreMessage(&nats.Msg{Data: []byte("x")})
	if m.EventID != "" || m.EventType != "" || string(m.Payload) != "x" {
		t.Errorf("got %+v", m)
	}
}
